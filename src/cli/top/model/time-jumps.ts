// Owns noticing that time went on without us: while the machine sleeps, monotonic time stands still.

/** Clocks that are kept in step are moved by less, from one look to the next. */
const JUMP_MS = 2_000

/** True when the machine slept, or its clock was set, since the last call: ages that are counted here are wrong by that. */
export function timeJumps(ownNow: () => number, monotonic: () => number): () => boolean {
  const ahead = () => ownNow() - monotonic()
  let last = ahead()
  return () => {
    const before = last
    last = ahead()
    return Math.abs(last - before) > JUMP_MS
  }
}
