// Owns what comes next for a task: the kind of step, plain words for it, and when. The first row that holds counts. The CLI
// adds commands to the words. Pure.
import { isPassing, type KeptBack } from '../conversation/kept-back.ts'
import { keptLine, keptRemedy, promptsWait } from '../conversation/kept-back-text.ts'
import { unanswered } from '../task/final-state.ts'
import type { Way } from '../task/go-on.ts'
import { isEnded } from '../task/machine.ts'
import type { Question } from '../task/question.ts'
import { waitsUntil } from '../task/state.ts'
import { durationText } from '../text/duration.ts'
import { elapsed } from '../text/elapsed.ts'
import type { ClosedGate, NextFacts, NextKind, NextStep, Silence, Unsaid } from './next-facts.ts'

type Told = Pick<NextStep, 'kind' | 'what' | 'at'>
/** Returns null when the row does not hold. */
type Row = (facts: NextFacts) => Told | null

export function nextStep(facts: NextFacts): NextStep {
  const told = firstTold(facts) ?? { kind: 'working', what: atWork(facts), at: null }
  return {
    ...told,
    question: told.kind === 'awaits_answer' ? numberToName(unanswered(facts.open)) : null,
    runtime: facts.task.runtime,
  }
}

function firstTold(facts: NextFacts): Told | null {
  for (const row of rows) {
    const told = row(facts)
    if (told !== null) return told
  }
  return null
}

/** A row that holds when `find` returns something; `what` and `at` get what was found. */
function whenFound<Found>(row: {
  readonly kind: NextKind
  readonly find: (facts: NextFacts) => Found | null
  readonly what: (found: Found, facts: NextFacts) => string
  readonly at?: (found: Found) => number | null
}): Row {
  return (facts) => {
    const found = row.find(facts)
    if (found === null) return null
    return { kind: row.kind, what: row.what(found, facts), at: row.at?.(found) ?? null }
  }
}

function when({
  is,
  ...row
}: {
  readonly kind: NextKind
  readonly is: (facts: NextFacts) => boolean
  readonly what: (facts: NextFacts) => string
  readonly at?: (facts: NextFacts) => number | null
}): Row {
  return whenFound({ ...row, find: (facts) => (is(facts) ? facts : null) })
}

const hasUnanswered = ({ task, open }: NextFacts) =>
  task.status === 'waiting_input' && unanswered(open).length > 0
const isCanary = ({ task, gate }: NextFacts) => gate?.canary === task.id

const rows: readonly Row[] = [
  when({
    kind: 'archived',
    is: ({ task }) => task.archivedAt !== null,
    what: () => 'nothing: it has ended and is archived',
  }),
  when({ kind: 'done', is: ({ task }) => task.status === 'completed', what: () => 'nothing: it is done' }),
  when({
    kind: 'ended',
    is: ({ task }) => isEnded(task.status),
    what: ({ task }) =>
      task.runtime === null
        ? 'nothing by itself; a resume goes on where it stopped, a retry starts over'
        : 'nothing: the runtime is stopped; a start goes on where it stopped',
  }),
  whenFound({
    kind: 'node_silent',
    find: silentNode,
    what: ({ host, since }, { now }) =>
      `not known: nothing was heard of its daemon, on ${host}, for ${elapsed((now - since) / 1000)}`,
  }),
  whenFound({
    kind: 'being_ended',
    find: ({ task }) => task.stop,
    what: ({ reason }) => `is being ended: ${reason}`,
  }),
  whenFound({
    kind: 'being_restarted',
    find: ({ task }) => task.restart,
    what: ({ reason }) => `its run is ended, then it goes on: ${reason}`,
  }),
  when({
    kind: 'cannot_be_answered',
    is: (facts) => hasUnanswered(facts) && facts.answerWay === 'none',
    what: () =>
      'it asks, but no answer can reach its agent, and it cannot be resumed with one; retry it from the beginning, or end it',
  }),
  when({
    kind: 'awaits_answer',
    is: hasUnanswered,
    what: ({ answerWay }) =>
      `waits for your answer${answerWay === 'resume' ? ', and is resumed with it' : ''}`,
  }),
  when({
    kind: 'takes_answer',
    is: ({ task, open }) => task.status === 'waiting_input' && open.length > 0,
    what: () => 'goes on as soon as its agent has got the answer',
  }),
  when({
    kind: 'awaits_person',
    is: ({ task }) => task.status === 'waiting_input',
    what: () => 'waits for you to let it go on, or to close it',
  }),
  whenFound({
    kind: 'behind_gate',
    find: (facts) => (!isCanary(facts) && isQueuedOrParked(facts) ? facts.gate : null),
    what: behindGate,
    at: ({ canary, until }) => (canary === null ? until : null),
  }),
  when({
    kind: 'parked',
    is: ({ task }) => task.phase === 'parked',
    what: (facts) => `${wayOf(facts)}${exceptQuietHours(facts)}`,
    at: ({ task }) => waitsUntil(task),
  }),
  when({
    kind: 'backing_off',
    is: ({ task }) => task.phase === 'backing_off',
    what: (facts) => `${wayOf(facts)}${retryOf(facts)}`,
    at: ({ task }) => waitsUntil(task),
  }),
  whenFound({
    kind: 'waiting',
    find: waitedFor,
    what: (other, facts) => `waits for ${other}, then ${wayOf(facts)}`,
  }),
  whenFound({
    kind: 'awaits_tmux',
    find: ({ task, outage }) => (task.status === 'pending' ? outage : null),
    what: ({ why }, facts) => `${wayOf(facts)} when tmux works again (${inBrackets(why)})`,
    at: ({ retryAt }) => retryAt,
  }),
  when({
    kind: 'queued',
    is: ({ task }) => task.status === 'pending',
    what: (facts) => `${wayOf(facts)}${retryOf(facts)} as soon as a slot is free${positionOf(facts)}`,
  }),
  when({
    kind: 'starting',
    is: ({ task }) => task.phase === 'starting',
    what: () => 'its agent is being started',
  }),
  when({
    kind: 'verifying',
    is: ({ task }) => task.phase === 'verifying',
    what: () =>
      'its work is being verified: if it passes, the session is completed; if not, the agent is told what is missing, at most twice',
  }),
  when({
    kind: 'stuck',
    is: ({ task }) => task.phase === 'stuck',
    what: () =>
      'is interrupted and resumed, unless it shows a sign of life; if that does not help, you are asked',
  }),
  whenFound({ kind: 'kept_back', find: keptBackBy, what: keptBackText }),
  when({
    kind: 'being_told',
    is: ({ task, unsaid }) => task.phase === 'idle' && unsaid.prompts > 0,
    what: ({ unsaid }) =>
      unsaid.prompts === 1 ? 'gets its prompt now' : 'gets its prompts, one after the other',
  }),
  when({
    kind: 'finishing',
    is: ({ isFinishing }) => isFinishing,
    what: () => 'is completed when its turn is over',
  }),
  when({ kind: 'idle', is: ({ task }) => task.phase === 'idle', what: () => 'waits for a prompt' }),
]

/** Null while the daemon of the task is heard of. */
function silentNode({ elsewhere }: NextFacts): { host: string; since: number } | null {
  const since = elsewhere?.silentSince ?? null
  return elsewhere === null || since === null ? null : { host: elsewhere.host, since }
}

/** The words when no row holds: the agent is working. */
const atWork = ({ life, unsaid }: NextFacts) =>
  `nothing: it works${life === null ? '' : signOfLife(life)}${unsaid.prompts === 0 ? '' : waitForEndOfTurn(unsaid)}`

/** Makes a whole sentence fit into brackets within another one. */
const inBrackets = (sentence: string) =>
  sentence.replace(/\.$/, '').replace(/^(The|There) /, (word) => word.toLowerCase())

/** Null when no prompt is kept back, or the reason passes by itself. */
function keptBackBy({ task, unsaid: { prompts, kept } }: NextFacts): KeptBack | null {
  if (prompts === 0 || kept === null) return null
  const isOnItsWay = task.phase === 'idle' ? kept.kind === 'being_typed' : isPassing(kept)
  return isOnItsWay ? null : kept
}

function keptBackText(kept: KeptBack, { task, unsaid: { prompts }, now }: NextFacts): string {
  const remedy = keptRemedy(kept.kind)
  const phase = task.phase === 'idle' ? 'idle; ' : ''
  return `${phase}${keptLine(prompts, kept, now)}${remedy === null ? '' : `; ${remedy}`}`
}

const waitForEndOfTurn = ({ prompts }: Unsaid) => `; ${promptsWait(prompts)} for the end of its turn`

const isQueuedOrParked = ({ task: { status, phase } }: NextFacts) =>
  status === 'pending' || phase === 'parked'

const WAYS: Readonly<Record<Way, string>> = {
  resume: 'resumes its session',
  with_context: 'starts over, and is told what was done',
  fresh: 'starts over',
}
function wayOf({ task }: NextFacts): string {
  const goOn = 'goOn' in task ? task.goOn : null
  return goOn === null ? 'starts' : WAYS[goOn.how]
}

/** What a waiting task waits for; null in every other phase. */
function waitedFor({ task }: NextFacts): string | null {
  if (task.phase !== 'waiting') return null
  switch (task.for.kind) {
    case 'task':
      return `session ${task.for.id} to end`
    case 'children':
      return 'the sessions that it started to end'
    case 'tmux':
      return 'tmux to work again'
    case 'approval':
      return `approval of ${task.for.of}`
    case 'node':
      return `node ${task.for.id} to be back`
  }
}

const retryOf = ({ task: { retries }, mostRetries }: NextFacts) =>
  retries === 0 ? '' : ` (retry ${retries} of ${mostRetries})`

const positionOf = ({ queuePosition }: NextFacts) =>
  queuePosition === null ? '' : ` (number ${queuePosition} in the queue)`

const GATE_TEXTS: Readonly<Record<ClosedGate['kind'], string>> = {
  limit: 'its usage limit should be over then',
  environment: 'the problem of the machine or the network may be over then',
  breaker: 'its agent, which keeps failing, is tried again then',
}

function behindGate({ kind, canary }: ClosedGate, facts: NextFacts): string {
  if (canary !== null) return `${wayOf(facts)} when ${canary}, which tries first, makes progress`
  return `${wayOf(facts)}; ${GATE_TEXTS[kind]}${exceptQuietHours(facts)}: one task tries first, the rest follow`
}

const exceptQuietHours = ({ quietHours }: NextFacts) =>
  quietHours === null ? '' : `, but not in ${quietHours}`

const numberToName = ([first, ...more]: readonly Question[]) =>
  first === undefined || more.length === 0 ? null : first.number

function signOfLife({ silentMs, limitMs, patience }: Silence): string {
  const ago = `; last sign of life ${elapsed(silentMs / 1000)} ago`
  return patience === null ? ago : `${ago}, ${patience} (stuck after ${durationText(limitMs)})`
}
