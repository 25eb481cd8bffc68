/** A repeatable coin: the same seed makes the same plan. What the machine does in between is its own. */
export function dice(seed) {
  let state = seed >>> 0
  const roll = (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
  return { roll, pick: (list) => list[roll(list.length)] }
}
