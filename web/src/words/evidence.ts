// Owns the words for where a fact comes from. Pure.
import type { EvidenceSource } from '../../../src/domain/task/evidence.ts'

const SOURCES: Readonly<Record<EvidenceSource, string>> = {
  exit_record: 'exit record',
  agent: 'its own word',
  verifier: 'the checks',
  process: 'its process',
  screen: 'its screen',
  tmux: 'tmux',
  clock: 'the clock',
  person: 'a person',
  store: 'the store',
}

/** A source that this page does not know yet is shown by its own name. */
export const sourceWord = (source: string): string => SOURCES[source as EvidenceSource] ?? source
