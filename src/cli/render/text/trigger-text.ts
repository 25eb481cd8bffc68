// Owns how a trigger reads to a person: where it is, what it waits for, what to do; and its way so far.
import { errorCatalogue, isErrorCode } from '../../../domain/errors/catalogue.ts'
import type { TriggerDetailJson, TriggerJson, TriggerStepJson } from '../../../protocol/json/trigger-json.ts'
import { oneLine } from '../print/cells.ts'
import { fields } from '../print/fields.ts'
import { elapsed, localSecond } from '../print/time.ts'
import { localTime, nextText } from './next-text.ts'

const STATES: Readonly<Record<TriggerJson['state'], string>> = {
  queued: 'waits to be given to the agent',
  deferred: 'waits',
  typed: 'was given to the agent, which has not shown yet that it has it',
  submitted: 'is with the agent',
  acknowledged: 'was acknowledged by the agent',
  done: 'was worked off: the turn that it began is over',
  unconfirmed: 'was given to the agent, which has not confirmed it',
  failed: 'was given up',
  fallen_back: 'goes to the next run of the session, which is resumed with it',
}

/** One or two lines: where it is, and what follows. */
export function triggerOutcome(trigger: TriggerDetailJson, now: number): string[] {
  const { trigger_id, code, state } = trigger
  return [`${trigger_id} ${STATES[state]}${code === null ? '' : ` (${code})`}.`, ...waitLines(trigger, now)]
}

function waitLines(trigger: TriggerDetailJson, now: number): string[] {
  const lines = [
    ...(trigger.kept_back === null || !isWaiting(trigger) ? [] : [`  Why: ${trigger.kept_back.what}`]),
    ...(trigger.waits_until === null
      ? []
      : [`  Until: ${localTime(trigger.waits_until, now)} (${awaited(trigger)})`]),
    ...(isWaiting(trigger) ? [`  Next: ${oneLine(nextText(trigger, now))}`] : []),
    ...hintLine(trigger),
  ]
  return lines
}

const isWaiting = ({ state }: Pick<TriggerJson, 'state'>) =>
  state === 'queued' || state === 'deferred' || state === 'fallen_back'

const awaited = ({ state, code }: TriggerJson) =>
  code === 'TRIGGER_RATE_LIMITED'
    ? 'then it is given to the agent'
    : state === 'deferred'
      ? 'then whoever waits is told'
      : 'an acknowledgement is awaited'

function hintLine({ code, session_id, trigger_id, state }: TriggerJson): string[] {
  if (state === 'unconfirmed')
    return [
      `  Do: nothing more is done by itself; \`holdfast screen ${session_id}\` shows what the agent does.`,
    ]
  if (code === null || !isErrorCode(code) || state === 'done' || state === 'acknowledged') return []
  const id = code === 'PANE_DEAD' || code === 'ACK_TIMEOUT' ? trigger_id : session_id
  return [`  Do: ${errorCatalogue[code].hint.replaceAll('<id>', id)}`]
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
    ['To', trigger.session_id],
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
