// Owns the words for how a runtime stands. Pure.
import type { RuntimeJson } from '../../../../src/protocol/json/runtime-json.ts'
import { isSilent, type StateWord, UNKNOWN } from '../../words/state.ts'

const STATES: Readonly<Record<RuntimeJson['state'], StateWord>> = {
  starting: { word: 'starts', tone: 'blue' },
  ready: { word: 'ready', tone: 'green' },
  triggering: { word: 'gets a prompt', tone: 'teal' },
  awaiting_ack: { word: 'has a prompt', tone: 'teal' },
  retrying: { word: 'gets it again', tone: 'amber' },
  fallback_resume: { word: 'is resumed', tone: 'indigo' },
  spawn_recovery: { word: 'starts anew', tone: 'indigo' },
  offline: { word: 'offline', tone: 'amber' },
  failed: { word: 'failed', tone: 'red' },
}

/** Offline by a person's will is no trouble. What a silent daemon told last may be long over. */
export function runtimeWord({
  state,
  wanted,
  elsewhere,
  question,
}: Pick<RuntimeJson, 'state' | 'wanted' | 'elsewhere' | 'question'>): StateWord {
  if (isSilent(elsewhere)) return UNKNOWN
  // It is there, but nobody can prompt it until its dialog is answered.
  if (state === 'ready' && question !== null) return { word: 'asks', tone: 'amber' }
  if (wanted === 'stopped' && (state === 'offline' || state === 'failed'))
    return { word: 'stopped', tone: 'grey' }
  return STATES[state] ?? { word: state, tone: 'grey', outline: true }
}
