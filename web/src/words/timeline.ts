// Owns how a task's story becomes bars on one axis. Pure.
import type { RunStoryJson, StoryJson, WhyJson } from '../../../src/protocol/json/recovery-json.ts'
import { type Axis, axisWith, placeOn } from './axis.ts'
import type { Tone } from './state.ts'
import { timeOf } from './time.ts'
import { type ToolTick, toolTicks } from './tool-ticks.ts'

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
export type Mark = { readonly from: number; readonly label: string; readonly step: StoryJson }
export type Timeline = {
  readonly from: number
  readonly to: number
  readonly bars: readonly Bar[]
  readonly marks: readonly Mark[]
  readonly ticks: readonly ToolTick[]
  /** Where on the screen each time lies: long waits are cut out of it. */
  readonly axis: Axis
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
  const end = Math.max(to, from + 1000)
  const all = joinedBars(segments.flatMap((segment) => barOf(segment, runs)))
  const marks = story.flatMap(markOf)
  const busy = all.filter(({ lane }) => lane !== 'Waits')
  const axis = axisWith(
    { from, to: end },
    busy,
    marks.map((mark) => mark.from),
  )
  const byLane = () => LANE_NAMES.flatMap((name) => apart(inLane(all, name), axis, sameBar))
  return {
    from,
    to: end,
    bars: all.length > MOST_SIDE_BY_SIDE ? byLane() : all,
    marks: marks.length > MOST_SIDE_BY_SIDE ? apart(marks, axis, sameMark) : marks,
    ticks: toolTicks({ runs, story }, from, end),
    axis,
  }
}

const LANE_NAMES: readonly Lane[] = ['Runs', 'Waits', 'Checks']
/** More than this beside each other are narrower than a few points on the screen: they are shown as one. */
const MOST_SIDE_BY_SIDE = 250

const inLane = (bars: readonly Bar[], name: Lane) => bars.filter(({ lane }) => lane === name)

/** Neighbours that cannot be told apart on the screen become one. */
function apart<Thing extends Placed>(
  things: readonly Thing[],
  axis: Axis,
  together: (some: readonly Thing[]) => Thing,
): Thing[] {
  const groups: Thing[][] = []
  for (const thing of things) {
    const last = groups.at(-1)
    const width = (first: Thing) => placeOn(axis, endOf(thing)) - placeOn(axis, first.from)
    if (last !== undefined && width(last[0]!) < 1 / MOST_SIDE_BY_SIDE) last.push(thing)
    else groups.push([thing])
  }
  return groups.map((some) => (some.length === 1 ? some[0]! : together(some)))
}
type Placed = { readonly from: number; readonly to?: number }
const endOf = ({ from, to = from }: Placed) => to

function sameBar(some: readonly Bar[]): Bar {
  const last = some.at(-1)!
  const label = `${some.length} times, at last: ${last.label}`
  return { ...last, label, from: some[0]!.from, steps: some.flatMap(({ steps }) => steps) }
}

const sameMark = (some: readonly Mark[]): Mark => {
  const last = some.at(-1)!
  return { ...last, label: `${some.length} times, at last: ${last.label}` }
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
  with_context: 'retried with context',
  fresh: 'started again',
}

function runLabel(number: number, runs: readonly RunStoryJson[]): string {
  const how = runs.find((run) => run.number === number)?.how
  return how === undefined ? `${number}` : `${number} ${HOW[how] ?? how.replaceAll('_', ' ')}`
}

/** Start and work of one run are one bar. */
function joinedBars(all: readonly Bar[]): Bar[] {
  const bars: (Bar & { readonly steps: StoryJson[] })[] = []
  for (const bar of all) {
    const last = bars.at(-1)
    if (last !== undefined && last.lane === bar.lane && last.label === bar.label && last.to === bar.from) {
      last.steps.push(...bar.steps)
      bars[bars.length - 1] = { ...last, to: bar.to }
    } else bars.push({ ...bar, steps: [...bar.steps] })
  }
  return bars
}

/** A step that ended a run early: its evidence has an exit that was not a clean one. Who is told to wait ends by itself. */
function markOf(step: StoryJson): Mark[] {
  const exit = step.evidence.find(({ source }) => source === 'exit_record')
  const isToldToWait = step.phase === 'parked' && !/\bsignal\b/.test(exit?.fact ?? '')
  const isDeath = exit !== undefined && !isToldToWait && !/\bcode 0\b/.test(exit.fact)
  return isDeath || step.event === 'failed' ? [{ from: timeOf(step.at), label: step.reason, step }] : []
}

/** How far from its beginning a moment lies on the axis. */
export const place = (at: number, { axis }: Pick<Timeline, 'axis'>) => `${placeOn(axis, at) * 100}%`
