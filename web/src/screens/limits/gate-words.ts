// Owns the words for what holds tasks back. Pure.
import type { GateJson } from '../../../../src/protocol/recovery-json.ts'
import type { StateWord } from '../../words/state.ts'

const WORDS: Readonly<Record<GateJson['kind'], StateWord>> = {
  limit: { word: 'usage limit', tone: 'indigo' },
  environment: { word: 'environment', tone: 'amber' },
  breaker: { word: 'too many failures', tone: 'red' },
}
export const gateWord = ({ kind }: Pick<GateJson, 'kind'>): StateWord =>
  WORDS[kind] ?? { word: kind, tone: 'grey' }

export const gateTitle = ({ agent }: Pick<GateJson, 'agent'>): string =>
  agent === null ? 'All agents' : `Tasks of ${agent}`
