// Owns what comes next for a task, in plain words, and when. The first row that holds. Pure.
import { elapsed } from './elapsed.ts'
import { unanswered } from './final-state.ts'
import type { Way } from './go-on.ts'
import type { Question, TaskSummary } from './task.ts'
import { isEnded } from './task-machine.ts'

export type NextFacts = {
  readonly task: Pick<
    TaskSummary,
    'id' | 'status' | 'phase' | 'phaseUntil' | 'retries' | 'goOn' | 'stop' | 'restart' | 'mode' | 'archivedAt'
  >
  readonly mostRetries: number
  /** Its questions that are not settled. */
  readonly open: readonly Question[]
  /** The gate that holds it back. */
  readonly gate: ClosedGate | null
  /** From 1; null when it is not queued. */
  readonly queuePosition: number | null
  /** In which parked tasks are not woken. */
  readonly quietHours: string | null
  /** Null while nobody counts. */
  readonly life: Silence | null
}
type ClosedGate = {
  readonly kind: 'limit' | 'environment' | 'breaker'
  readonly until: number
  readonly canary: string | null
}
type Silence = {
  readonly silentMs: number
  /** From then on it is stuck. */
  readonly limitMs: number
  /** Why silence is no wonder. */
  readonly patience: string | null
}

export type NextStep = { readonly what: string; readonly at: number | null }

type Row = {
  readonly is: (facts: NextFacts) => boolean
  readonly what: (facts: NextFacts) => string
  readonly at?: (facts: NextFacts) => number | null
}

export function nextStep(facts: NextFacts): NextStep {
  const row = rows.find(({ is }) => is(facts))!
  return { what: row.what(facts), at: row.at?.(facts) ?? null }
}

const asksOpenly = ({ task, open }: NextFacts) =>
  task.status === 'waiting_input' && unanswered(open).length > 0
const triesItself = ({ task, gate }: NextFacts) => gate?.canary === task.id

const rows: readonly Row[] = [
  { is: ({ task }) => task.archivedAt !== null, what: () => 'nothing: it has ended and is archived' },
  { is: ({ task }) => task.status === 'completed', what: () => 'nothing: it is done' },
  {
    is: ({ task }) => isEnded(task.status),
    what: ({ task: { id } }) =>
      `nothing by itself: \`holdfast resume ${id}\` goes on where it was, \`holdfast retry ${id}\` begins anew`,
  },
  { is: ({ task }) => task.stop !== null, what: ({ task }) => `is being ended: ${task.stop!.reason}` },
  {
    is: ({ task }) => task.restart !== null,
    what: ({ task }) => `its run is ended, then it goes on: ${task.restart!.reason}`,
  },
  { is: asksOpenly, what: ({ task, open }) => waitsForAnswer(task.id, unanswered(open)) },
  {
    is: ({ task, open }) => task.status === 'waiting_input' && open.length > 0,
    what: () => 'goes on as soon as it has taken the answer',
  },
  {
    is: ({ task }) => task.status === 'waiting_input',
    what: ({ task: { id } }) =>
      `waits for you: \`holdfast resume ${id}\` lets it go on, \`holdfast kill ${id}\` closes it`,
  },
  {
    is: (facts) => facts.gate !== null && !triesItself(facts) && waits(facts),
    what: (facts) => behind(facts, facts.gate!),
    at: ({ gate }) => (gate!.canary === null ? gate!.until : null),
  },
  {
    is: ({ task }) => task.phase === 'parked',
    what: (facts) => `${wayOf(facts)}${exceptQuiet(facts)}`,
    at: ({ task }) => task.phaseUntil,
  },
  {
    is: ({ task }) => task.phase === 'backing_off',
    what: (facts) => `${wayOf(facts)}${retryOf(facts)}`,
    at: ({ task }) => task.phaseUntil,
  },
  {
    is: ({ task }) => task.status === 'pending',
    what: (facts) => `${wayOf(facts)}${retryOf(facts)} as soon as a slot is free${positionOf(facts)}`,
  },
  { is: ({ task }) => task.phase === 'starting', what: () => 'its agent is being started' },
  {
    is: ({ task }) => task.phase === 'verifying',
    what: () => 'its work is being verified; completed if it passes, else it is told what is missing',
  },
  {
    is: ({ task }) => task.phase === 'stuck',
    what: () => 'is brought back, unless it shows life; where that does not help, you are asked',
  },
  {
    is: ({ task }) => task.phase === 'idle',
    what: ({ task: { id, mode } }) =>
      `waits for a prompt: \`holdfast send ${id}\`${mode === 'interactive' ? ` or \`holdfast attach ${id}\`` : ''}`,
  },
  { is: () => true, what: ({ life }) => `nothing: it works${life === null ? '' : signOfLife(life)}` },
]

const waits = ({ task: { status, phase } }: NextFacts) => status === 'pending' || phase === 'parked'

const WAYS: Readonly<Record<Way, string>> = {
  resume: 'resumes its session',
  with_context: 'begins anew, and is told what was done',
  fresh: 'begins anew',
}
const wayOf = ({ task: { goOn } }: NextFacts) => (goOn === null ? 'starts' : WAYS[goOn.how])

const retryOf = ({ task: { retries }, mostRetries }: NextFacts) =>
  retries === 0 ? '' : ` (retry ${retries} of ${mostRetries})`

const positionOf = ({ queuePosition }: NextFacts) =>
  queuePosition === null ? '' : ` (number ${queuePosition} in the queue)`

const IS_OVER: Readonly<Record<ClosedGate['kind'], string>> = {
  limit: 'its usage limit should be over then',
  environment: 'the trouble of the machine or the network may be over then',
  breaker: 'its agent, which keeps failing, is tried again then',
}

function behind(facts: NextFacts, { kind, canary }: ClosedGate): string {
  if (canary !== null) return `${wayOf(facts)} when ${canary}, which tries first, gets on`
  return `${wayOf(facts)}; ${IS_OVER[kind]}${exceptQuiet(facts)}: one task tries first, the rest follow`
}

const exceptQuiet = ({ quietHours }: NextFacts) => (quietHours === null ? '' : `, but not in ${quietHours}`)

function waitsForAnswer(id: string, [first, ...more]: readonly Question[]): string {
  const which = more.length === 0 ? '' : ` --question ${first!.number}`
  return `waits for your answer: \`holdfast answer ${id}${which} <choice>\``
}

function signOfLife({ silentMs, limitMs, patience }: Silence): string {
  const ago = `; last sign of life ${elapsed(silentMs / 1000)} ago`
  return patience === null ? ago : `${ago}, ${patience} (stuck after ${elapsed(limitMs / 1000)})`
}
