// Owns how a trigger reads to a person: where it is, what it waits for, what to do; and its way so far.
import { keptRemedy } from '../../../domain/conversation/kept-back-text.ts'
import { errorCatalogue, isErrorCode } from '../../../domain/errors/catalogue.ts'
import type { KeptBackJson } from '../../../protocol/json/task-json.ts'
import type { TriggerDetailJson, TriggerJson, TriggerStepJson } from '../../../protocol/json/trigger-json.ts'
import { oneLine } from '../print/cells.ts'
import { fields } from '../print/fields.ts'
import { elapsed, localSecond } from '../print/time.ts'
import { localTime, nextText, startCommand } from './next-text.ts'

const STATES: Readonly<Record<TriggerJson['state'], string>> = {
  queued: 'waits to be given to the agent',
  deferred: 'waits',
  typed: 'was given to the agent, which has not shown yet that it has it',
  submitted: 'is with the agent',
  acknowledged: 'was acknowledged by the agent',
  done: 'was worked off: the turn that it began is over',
  unconfirmed: 'was given to the agent, which has not confirmed it',
  failed: 'was given up',
  fallen_back: 'did not reach the run before, and is for the one that takes its place',
}

/** One or two lines: where it is, and what follows. */
export function triggerOutcome(trigger: TriggerDetailJson, now: number): string[] {
  const { trigger_id, code } = trigger
  return [
    `${trigger_id} ${whereItIs(trigger)}${code === null ? '' : ` (${code})`}.`,
    ...waitLines(trigger, now),
  ]
}

/** A turn may have begun with what was never acknowledged: then nobody has to ask whether it arrived. */
function whereItIs({ state, steps, phase, code }: TriggerDetailJson): string {
  // It is kept, and sent when its session is brought back.
  if (state === 'failed' && code === 'TARGET_NOT_FOUND')
    return 'did not reach the agent before its session ended'
  if (state === 'submitted' && phase === null) return 'was with the agent when its session ended'
  const last = steps.findLast((step) => step.state !== 'unconfirmed')
  const hasArrived = state === 'unconfirmed' && last?.state === 'submitted'
  return hasArrived ? 'is with the agent, which has not acknowledged it' : STATES[state]
}

function waitLines(trigger: TriggerDetailJson, now: number): string[] {
  const why = whyItWaits(trigger)
  const { waits_until: until, phase } = trigger
  // A time that has passed was that of a run which has ended.
  const isAwaited = until !== null && phase !== null && Date.parse(until) > now
  return [
    ...(why === undefined ? [] : [`  Why: ${why}`]),
    ...(isAwaited ? [`  ${awaited(trigger, localTime(until, now))}`] : []),
    ...((isWaiting(trigger) && why === undefined) || isHeldUp(trigger)
      ? [`  Next: ${oneLine(nextText(trigger, now))}`]
      : []),
    ...hintLine(trigger),
  ]
}

/** Undefined where the next step of its session says it better. */
function whyItWaits({ state, code, phase, kept_back }: TriggerDetailJson): string | undefined {
  if ((state === 'queued' || state === 'fallen_back') && phase === 'working' && kept_back === null)
    return 'the agent is at work; it comes after this turn'
  if (state !== 'queued' && state !== 'deferred') return undefined
  if (code === 'TRIGGER_RATE_LIMITED') return 'messages of its thread or its sender wake agents too often'
  if (kept_back !== null) return kept_back.what
  return undefined
}

const isWaiting = ({ state }: Pick<TriggerJson, 'state'>) =>
  state === 'queued' || state === 'deferred' || state === 'fallen_back'

const NEEDS_PERSON: ReadonlySet<TriggerDetailJson['phase']> = new Set([
  'asking',
  'stuck',
  'stopped_by_person',
])
/** In these, nothing is done with what an agent was given: it asks, or its process is not there. */
const HOLDING_UP: ReadonlySet<TriggerDetailJson['phase']> = new Set([
  ...NEEDS_PERSON,
  'backing_off',
  'parked',
])

/** The agent was given it, and does not go on by itself. */
const isHeldUp = ({ state, phase }: TriggerDetailJson) =>
  (state === 'submitted' || state === 'acknowledged' || state === 'unconfirmed') && HOLDING_UP.has(phase)

/** `time`: until when. A prompt that waits for a person is not given up then. */
function awaited({ state, code }: TriggerJson, time: string): string {
  if (code === 'TRIGGER_RATE_LIMITED') return `Then: at ${time} it is given to the agent`
  return state === 'deferred'
    ? `Then: at ${time} whoever waits for it is told; it still waits`
    : `Until: ${time} (an acknowledgement is awaited)`
}

function hintLine(trigger: TriggerDetailJson): string[] {
  const { code, session_id, trigger_id, state, kept_back, next, phase, thread } = trigger
  if (code === 'TARGET_NOT_FOUND' && next.runtime !== null)
    return [
      `  Do: The runtime it was for is stopped: \`${startCommand(next.runtime)}\` brings it back, and the prompt is sent then.`,
    ]
  // The next step says what a person can do.
  if (isHeldUp(trigger) || (state === 'fallen_back' && NEEDS_PERSON.has(phase))) return []
  if (state === 'unconfirmed')
    return [
      `  Do: nothing more is done by itself; \`holdfast screen ${session_id}\` shows what the agent does.`,
    ]
  if (state === 'fallen_back') return ['  Do: nothing; it is given to that run by itself.']
  if (code === null || !isErrorCode(code) || state === 'done' || state === 'acknowledged') return []
  const remedy = state === 'deferred' && kept_back !== null ? remedyFor(kept_back, session_id) : undefined
  const id = code === 'PANE_DEAD' || code === 'ACK_TIMEOUT' ? trigger_id : session_id
  const hint = errorCatalogue[code].hint.replaceAll('<id>', id).replaceAll('<thread>', thread ?? '<thread>')
  return [`  Do: ${remedy ?? hint}`]
}

/** What helps at the terminal. Somebody who types there knows the way. */
function remedyFor({ reason: kind }: KeptBackJson, session: string): string | undefined {
  const remedy = kind === 'person_types' ? null : keptRemedy(kind)
  return remedy === null ? undefined : `${remedy}: \`holdfast attach ${session}\`.`
}

export const sanitisedLine = (sanitised: readonly string[]) =>
  sanitised.length === 0
    ? []
    : [`  Changed in the text: ${sanitised.map((one) => WORDS[one] ?? one).join(', ')}.`]

const WORDS: Readonly<Record<string, string>> = {
  control_characters: 'control characters were removed',
  line_ends: 'line ends became newlines',
  envelope_marks: 'marks of an envelope were quoted',
  blank_edges: 'blanks around it were removed',
  leading_command: '"Task: " was put before it, because agents take its beginning for a command',
  trailing_mention: 'a blank was put behind it, because agents take its end for the beginning of a file name',
}

/** As one reads where a parcel is: whom to, what, each step with its time and evidence, what comes next. */
export function trackingPage(trigger: TriggerDetailJson, now: number): string[] {
  const about: [string, string][] = [
    ['To', toWhom(trigger)],
    ['From', trigger.by],
    ['Sent', `${localSecond(trigger.at)} (${elapsed((now - Date.parse(trigger.at)) / 1000)} ago)`],
    ...(trigger.thread === null ? [] : ([['Thread', trigger.thread]] as [string, string][])),
    ...(trigger.reason === null ? [] : ([['Reason', trigger.reason]] as [string, string][])),
    ...(trigger.forced_by === null
      ? []
      : ([['Forced', `by ${trigger.forced_by}: ${oneLine(trigger.forced_why ?? '')}`]] as [
          string,
          string,
        ][])),
    ['Text', `${shortened(oneLine(trigger.text))} (${trigger.bytes} bytes)`],
  ]
  return [
    ...triggerOutcome(trigger, now),
    ...sanitisedLine(trigger.sanitised),
    '',
    ...fields(about),
    '',
    ...trigger.steps.flatMap((step) => stepLines(step, now)),
  ]
}

/** A runtime is known by its name; its session has another one after each new beginning. */
const toWhom = ({ session_id, next: { runtime } }: TriggerDetailJson) =>
  runtime === null ? session_id : `${runtime} (${session_id})`

const MOST_TEXT = 100
const shortened = (text: string) => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text)

const stepLines = ({ at, event, state, code, evidence }: TriggerStepJson, now: number): string[] => [
  `${localTime(at, now)}  ${event === 'ack_late' ? `${state} (not acknowledged yet)` : state}${code === null ? '' : ` ${code}`}`,
  ...evidence.map(({ source, fact }) => `          ${source}: ${oneLine(fact)}`),
]

/** Of two who force the same trigger, the first counts. */
export const forcedLine = (
  { forced_by }: { readonly forced_by: string | null },
  { operator }: { readonly operator?: string | undefined },
) =>
  operator === undefined || forced_by === operator
    ? []
    : [
        `It was not forced by ${operator}: ${forced_by === null ? 'it does not wait any more' : `${forced_by} did so before`}.`,
      ]
