// Owns matching a user's pattern in time linear to the length of the text. An agent writes the text, and could make an
// ordinary matcher run for ever; a time limit would skip rules on a busy machine. All possible matches are followed at
// once (the algorithm of Thompson and Pike); the one that a JavaScript engine would find wins.
import {
  type Assertion,
  isIn,
  isWord,
  NotLinear,
  type Part,
  type Ranges,
  type Repeat,
  readPattern,
} from './pattern-parts.ts'

export { NotLinear } from './pattern-parts.ts'

type Step =
  | { readonly op: 'one'; readonly of: Ranges }
  | { readonly op: 'assert'; readonly what: Assertion }
  | { readonly op: 'go'; readonly to: number[] }
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'forget' }
  | { readonly op: 'found' }

/** Begin and end of the whole match, then begin and end of its first group; -1 where there is none. */
type Slots = readonly [number, number, number, number]
type Way = { readonly step: number; readonly slots: Slots }

/** Repetitions such as `a{50}` are written out as steps. Every character may take all steps: with this many it is still quick. */
const MOST_STEPS = 2000
const FIRST_GROUP = 1

export type LinearPattern = {
  /** The first group of the first match, or the whole match when it has no group; undefined without a match. */
  find(text: string): string | undefined
}

/** Throws NotLinear for a pattern that cannot be matched in linear time. */
export function linearPattern(source: string): LinearPattern {
  const steps = stepsOf(readPattern(source))
  const begins = beginnings(steps)
  return { find: (text) => search(steps, begins, text) }
}

function stepsOf(pattern: Part): readonly Step[] {
  const steps: Step[] = []
  const add = (step: Step) => {
    if (steps.length >= MOST_STEPS) throw new NotLinear('its repetitions make it too long')
    return steps.push(step) - 1
  }
  const put: { readonly [K in Part['kind']]: (part: Extract<Part, { kind: K }>) => void } = {
    one: ({ of }) => void add({ op: 'one', of }),
    assert: ({ what }) => void add({ op: 'assert', what }),
    all: ({ parts }) => parts.forEach(write),
    any: ({ ways }) => {
      const [fork, ends] = [[] as number[], [] as number[]]
      add({ op: 'go', to: fork })
      for (const way of ways) {
        fork.push(steps.length)
        write(way)
        const end: number[] = []
        add({ op: 'go', to: end })
        ends.push(steps.length - 1)
      }
      for (const at of ends) (steps[at] as { to: number[] }).to.push(steps.length)
    },
    group: ({ number, inner }) => {
      if (number !== FIRST_GROUP) return write(inner)
      add({ op: 'save', slot: 2 })
      write(inner)
      add({ op: 'save', slot: 3 })
    },
    repeat: (part) => repeat(part),
  }
  const write = (part: Part) => (put[part.kind] as (one: Part) => void)(part)
  const round = ({ inner, groups: [first, last] }: Repeat) => {
    if (first <= FIRST_GROUP && last >= FIRST_GROUP) add({ op: 'forget' })
    write(inner)
  }
  /** Adds a step that goes on inside the repetition or after it, the preferred way first. */
  const fork = (greedy: boolean) => {
    const to: number[] = []
    add({ op: 'go', to })
    const inside = steps.length
    return (behind: number) => to.push(...(greedy ? [inside, behind] : [behind, inside]))
  }
  const repeat = (part: Repeat) => {
    for (let n = 0; n < part.least; n++) round(part)
    if (part.most === Number.POSITIVE_INFINITY) {
      const start = steps.length
      const leave = fork(part.greedy)
      round(part)
      add({ op: 'go', to: [start] })
      leave(steps.length)
    } else {
      const leaves: ((behind: number) => void)[] = []
      for (let n = part.least; n < part.most; n++) {
        leaves.push(fork(part.greedy))
        round(part)
      }
      for (const leave of leaves) leave(steps.length)
    }
  }
  write(pattern)
  add({ op: 'found' })
  return steps
}

/** By code unit: 1 when a match may begin with it, after the beginning of the text. All code units above 255 share one entry. */
type Beginnings = Uint8Array
const ABOVE = 256

/** Lets the search skip the places where no match can begin, which are most places of most texts. */
function beginnings(steps: readonly Step[]): Beginnings {
  const may = new Uint8Array(ABOVE + 1)
  const seen = new Set<number>()
  const left = [0]
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const step = steps[at]!
    if (step.op === 'go') left.push(...step.to)
    else if (step.op === 'found') may.fill(1)
    else if (step.op === 'one') mark(step.of, may)
    else if (step.op !== 'assert' || step.what !== 'start') left.push(at + 1)
  }
  return may
}

function mark(ranges: Ranges, may: Beginnings): void {
  for (const [first, last] of ranges) {
    for (let code = first; code <= last && code < ABOVE; code++) may[code] = 1
    if (last >= ABOVE) may[ABOVE] = 1
  }
}

function search(steps: readonly Step[], begins: Beginnings, text: string): string | undefined {
  let best: Slots | undefined
  let ways: Way[] = []
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : -1
    const isIdle = ways.length === 0 && best === undefined && at > 0 && code !== -1
    if (isIdle && begins[Math.min(code, ABOVE)] === 0) continue
    const seen = new Uint8Array(steps.length)
    const here: Way[] = []
    for (const { step, slots } of ways) spread(steps, step, slots, at, text, seen, here)
    // A match that begins earlier always wins. So no new one is begun once a match was found.
    if (best === undefined) spread(steps, 0, [at, -1, -1, -1], at, text, seen, here)
    else if (here.length === 0) break
    ways = []
    for (const { step, slots } of here) {
      const now = steps[step]!
      if (now.op === 'found') {
        best = [slots[0], at, slots[2], slots[3]]
        break
      }
      if (now.op === 'one' && code !== -1 && isIn(code, now.of)) ways.push({ step: step + 1, slots })
    }
  }
  if (best === undefined) return undefined
  const [start, end, from, to] = best
  return from >= 0 && to >= 0 ? text.slice(from, to) : text.slice(start, end)
}

/** Follows all steps that take no character. Each step is visited once, by the preferred way. */
function spread(
  steps: readonly Step[],
  first: number,
  given: Slots,
  at: number,
  text: string,
  seen: Uint8Array,
  here: Way[],
): void {
  const left: Way[] = [{ step: first, slots: given }]
  for (let way = left.pop(); way !== undefined; way = left.pop()) {
    const { step, slots } = way
    if (seen[step] === 1) continue
    seen[step] = 1
    const now = steps[step]!
    if (now.op === 'go') for (const to of [...now.to].reverse()) left.push({ step: to, slots })
    else if (now.op === 'save') left.push({ step: step + 1, slots: saved(slots, now.slot, at) })
    else if (now.op === 'forget') left.push({ step: step + 1, slots: [slots[0], slots[1], -1, -1] })
    else if (now.op === 'assert') {
      if (holds(now.what, at, text)) left.push({ step: step + 1, slots })
    } else here.push(way)
  }
}

/** A group that begins again has no end yet. */
const saved = ([start, end, from]: Slots, slot: number, at: number): Slots =>
  slot === 2 ? [start, end, at, -1] : [start, end, from, at]

function holds(what: Assertion, at: number, text: string): boolean {
  if (what === 'start') return at === 0
  if (what === 'end') return at === text.length
  const isEdge = isWord(unitAt(text, at - 1)) !== isWord(unitAt(text, at))
  return isEdge === (what === 'word_edge')
}

const unitAt = (text: string, at: number) => (at >= 0 && at < text.length ? text.charCodeAt(at) : undefined)
