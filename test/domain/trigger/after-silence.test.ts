import { expect, test } from 'vitest'
import { afterSilence, type SilenceFacts } from '../../../src/domain/trigger/after-silence.ts'

const terms = { timeoutMs: 8000, retries: 2, backoffMs: 2000, resumeAttempts: 2 }
const facts = (changes: Partial<SilenceFacts>): SilenceFacts => ({
  state: 'submitted',
  since: 0,
  late: 2,
  fallbacks: 0,
  isAlive: true,
  isIdle: false,
  hasTurnBegun: true,
  now: 14_000,
  ...changes,
})
const after = (changes: Partial<SilenceFacts>) => afterSilence(facts(changes), terms)

test('it is awaited for 8 s, then 2 s and 4 s more', () => {
  expect(after({ late: 0, now: 7999 })).toEqual({ kind: 'wait', until: 8000 })
  expect(after({ late: 0, now: 8000 })).toEqual({ kind: 'wait_longer', until: 10_000 })
  expect(after({ late: 1, now: 10_000 })).toEqual({ kind: 'wait_longer', until: 14_000 })
  expect(after({ now: 13_999 })).toEqual({ kind: 'wait', until: 14_000 })
})

test('a living agent whose turn began is never ended for it', () => {
  for (const isIdle of [true, false])
    for (const fallbacks of [0, 2]) expect(after({ isIdle, fallbacks })).toEqual({ kind: 'unconfirmed' })
})

test('a dead process, or an idle agent without a turn, falls back: twice, then it is given up', () => {
  expect(after({ isAlive: false })).toEqual({ kind: 'fall_back' })
  expect(after({ isIdle: true, hasTurnBegun: false, fallbacks: 1 })).toEqual({ kind: 'fall_back' })
  expect(after({ isIdle: true, hasTurnBegun: false, fallbacks: 2 })).toEqual({ kind: 'give_up' })
})

test('what is neither proved nor disproved is left alone', () => {
  expect(after({ hasTurnBegun: false })).toEqual({ kind: 'leave' })
})
