import type { Gate } from '../../src/ports/store/gates.ts'
import { NOON } from './ids.ts'

/** A closed gate that nobody has tried, with what the test cares about changed. */
export const aGate = (changes: Partial<Gate> = {}): Gate => ({
  key: 'limit:me',
  kind: 'limit',
  reason: 'usage limit',
  since: NOON,
  until: NOON + 60_000,
  tries: 0,
  canary: null,
  failed: [],
  ...changes,
})
