// Owns the words for how a prompt on its way stands. Pure.
import type { KeptBackJson } from '../../../src/protocol/json/task-json.ts'
import type { TriggerDetailJson, TriggerJson } from '../../../src/protocol/json/trigger-json.ts'
import type { StateWord } from './state.ts'

const STATES: Readonly<Record<TriggerJson['state'], StateWord>> = {
  queued: { word: 'queued', tone: 'grey' },
  deferred: { word: 'deferred', tone: 'indigo' },
  typed: { word: 'typed', tone: 'blue' },
  submitted: { word: 'submitted', tone: 'teal' },
  acknowledged: { word: 'acknowledged', tone: 'teal' },
  done: { word: 'done', tone: 'green' },
  unconfirmed: { word: 'unconfirmed', tone: 'amber' },
  failed: { word: 'failed', tone: 'red' },
  fallen_back: { word: 'by resuming', tone: 'indigo' },
}
export const triggerStates = Object.keys(STATES) as readonly TriggerJson['state'][]

export const triggerWord = ({ state }: Pick<TriggerJson, 'state'>): StateWord =>
  STATES[state] ?? { word: state, tone: 'grey', outline: true }

/** It is not with its agent yet. */
export const isWaiting = ({ state }: Pick<TriggerJson, 'state'>) => state === 'queued' || state === 'deferred'

/** It is with its agent, and not done: what its agent does tells what becomes of it. */
export const isUnderWay = ({ state }: Pick<TriggerJson, 'state'>) =>
  !isWaiting({ state }) && state !== 'done' && state !== 'failed'

/** A person's word overrules keys of a moment ago, and nothing else. */
export const mayBeForced = (
  trigger: Pick<TriggerDetailJson, 'state' | 'code' | 'forced_by'> & {
    readonly kept_back: Pick<KeptBackJson, 'reason'> | null
  },
): boolean =>
  isWaiting(trigger) &&
  trigger.forced_by === null &&
  (trigger.kept_back?.reason === 'person_types' || BY_A_PERSON.includes(trigger.code ?? ''))
const BY_A_PERSON: readonly string[] = ['OPERATOR_BUSY', 'DEFER_TIMEOUT']

const WAY = ['typed', 'submitted', 'acknowledged', 'done'] as const

/** What is still ahead of it. Only a prompt in an envelope is acknowledged; of one that failed nothing more is expected. */
export function stepsToCome({ state, framed }: Pick<TriggerJson, 'state' | 'framed'>): string[] {
  if (state === 'failed' || state === 'done' || state === 'unconfirmed') return []
  const passed = (WAY as readonly string[]).indexOf(state)
  return WAY.slice(passed + 1).filter((step) => step !== 'acknowledged' || framed)
}

/** Whether a step went well, as far as the prompt has come by it. */
export function stepMark({ state }: Pick<TriggerJson, 'state'>): 'well' | 'doubtful' | 'failed' {
  if (state === 'failed') return 'failed'
  return DOUBTFUL.has(state) ? 'doubtful' : 'well'
}
const DOUBTFUL: ReadonlySet<string> = new Set(['unconfirmed', 'deferred', 'fallen_back'])
