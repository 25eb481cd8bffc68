// Owns the words for how a prompt on its way stands. Pure.
import type { TriggerJson } from '../../../../src/protocol/trigger-json.ts'
import type { StateWord } from '../../words/state.ts'

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
export const triggerWord = ({ state }: Pick<TriggerJson, 'state'>): StateWord =>
  STATES[state] ?? { word: state, tone: 'grey', outline: true }

/** It is not with its agent yet, so that a person may have it typed at once. */
export const isWaiting = ({ state }: Pick<TriggerJson, 'state'>) => state === 'queued' || state === 'deferred'
