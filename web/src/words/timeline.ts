// Owns how a task's story becomes bars on one axis. Pure.
import type { RunStoryJson, StoryJson, WhyJson } from '../../../src/protocol/recovery-json.ts'
import type { Tone } from './state.ts'
import { timeOf } from './time.ts'

export type Lane = 'Runs' | 'Waits' | 'Checks'
/** `steps`: what of the story it stands for. `hatched`: nothing is done in it. */
export type Bar = {
  readonly lane: Lane
  readonly label: string
  readonly from: number
  readonly to: number
  readonly tone: Tone
  readonly hatched: boolean
  readonly steps: readonly StoryJson[]
}
/** A moment: a death, a failure. */
export type Mark = { readonly at: number; readonly label: string; readonly step: StoryJson }
export type Timeline = {
  readonly from: number
  readonly to: number
  readonly bars: readonly Bar[]
  readonly marks: readonly Mark[]
}

type Segment = { readonly step: StoryJson; readonly from: number; readonly to: number }

/** `now`: epoch ms by the daemon's clock; a task that has ended needs none. */
export function timelineOf({ story, runs }: Pick<WhyJson, 'story' | 'runs'>, now: number): Timeline {
  const segments = story.map((step, index): Segment => {
    const from = timeOf(step.at)
    const next = story[index + 1]
    return { step, from, to: next === undefined ? Math.max(now, from) : timeOf(next.at) }
  })
  const isOver = story.at(-1)?.phase === null
  const from = segments[0]?.from ?? now
  const to = isOver ? (segments.at(-1)?.from ?? now) : Math.max(now, from)
  const bars = segments.flatMap((segment) => barOf(segment, runs)).reduce<Bar[]>(joined, [])
  return { from, to: Math.max(to, from + 1000), bars, marks: story.flatMap(markOf) }
}

const LANES: Readonly<Record<string, { lane: Lane; tone: Tone; hatched: boolean; word: string }>> = {
  queued: { lane: 'Waits', tone: 'grey', hatched: true, word: 'queued' },
  starting: { lane: 'Runs', tone: 'teal', hatched: false, word: 'starts' },
  working: { lane: 'Runs', tone: 'teal', hatched: false, word: 'works' },
  idle: { lane: 'Waits', tone: 'grey', hatched: true, word: 'at rest' },
  asking: { lane: 'Waits', tone: 'amber', hatched: false, word: 'asked' },
  backing_off: { lane: 'Waits', tone: 'indigo', hatched: true, word: 'pause before the retry' },
  parked: { lane: 'Waits', tone: 'indigo', hatched: true, word: 'parked' },
  waiting: { lane: 'Waits', tone: 'indigo', hatched: true, word: 'waits' },
  stuck: { lane: 'Waits', tone: 'red', hatched: false, word: 'stuck' },
  verifying: { lane: 'Checks', tone: 'violet', hatched: false, word: 'verifies' },
  stopped_by_person: { lane: 'Waits', tone: 'grey', hatched: false, word: 'stopped by a person' },
}

function barOf({ step, from, to }: Segment, runs: readonly RunStoryJson[]): Bar[] {
  const kind = LANES[step.phase ?? '']
  if (kind === undefined) return []
  const { word, ...rest } = kind
  const label = kind.lane === 'Runs' && step.run !== null ? runLabel(step.run, runs) : word
  return [{ ...rest, label, from, to, steps: [step] }]
}

const HOW: Readonly<Record<string, string>> = {
  start: 'start',
  resume: 'resumed',
  retry: 'retried with context',
  restart: 'started again',
}

function runLabel(number: number, runs: readonly RunStoryJson[]): string {
  const how = runs.find((run) => run.number === number)?.how
  return how === undefined ? `${number}` : `${number} ${HOW[how] ?? how.replaceAll('_', ' ')}`
}

/** Start and work of one run are one bar. */
function joined(bars: Bar[], bar: Bar): Bar[] {
  const last = bars.at(-1)
  if (last === undefined || last.lane !== bar.lane || last.label !== bar.label || last.to !== bar.from)
    return [...bars, bar]
  return [...bars.slice(0, -1), { ...last, to: bar.to, steps: [...last.steps, ...bar.steps] }]
}

/** A step that ended a run early: its evidence has an exit that was not a clean one. */
function markOf(step: StoryJson): Mark[] {
  const exit = step.evidence.find(({ source }) => source === 'exit_record')
  const isDeath = exit !== undefined && !/\bcode 0\b/.test(exit.fact)
  return isDeath || step.event === 'failed' ? [{ at: timeOf(step.at), label: step.reason, step }] : []
}

/** Round moments for the axis: at most `most` of them. */
export function axisOf(from: number, to: number, most: number): number[] {
  const step = STEPS_MS.find((size) => (to - from) / size <= most) ?? (to - from) / most
  const first = Math.ceil(from / step) * step
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step)
}
const MINUTE = 60_000
const STEPS_MS = [1, 2, 5, 10, 15, 30]
  .map((seconds) => seconds * 1000)
  .concat([1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 2880, 10080].map((minutes) => minutes * MINUTE))
