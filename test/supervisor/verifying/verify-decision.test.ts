import { expect, test } from 'vitest'
import type { Verification } from '../../../src/domain/task/task.ts'
import type { Verified } from '../../../src/ports/verifier.ts'
import { decideVerification } from '../../../src/supervisor/verifying/verify-decision.ts'

const failing = (found: string, left = found): Verified => ({
  verified: false,
  checks: [
    { check: 'file a', ok: true, why: null, output: '' },
    { check: 'command npm test', ok: false, why: 'exited with code 1', output: 'x' },
  ],
  found,
  left,
})
const good: Verified = { verified: true, checks: [], found: 'f', left: 'f' }
const earlier = (rounds: number, fingerprint: string): Verification => ({
  verified: false,
  rounds,
  fingerprint,
  failures: [],
  at: 0,
})

test('verified work is completed, whatever was before', () => {
  expect(decideVerification(null, good, 5)).toMatchObject({
    kind: 'completed',
    verification: { verified: true, at: 5 },
  })
  expect(decideVerification(earlier(2, 'f'), good, 5).kind).toBe('completed')
})

test('work that fails is sent back, and what was left of it is remembered', () => {
  expect(decideVerification(null, failing('before', 'after'), 5)).toEqual({
    kind: 'resume',
    reason: 'not verified, sent back: command npm test: exited with code 1',
    verification: {
      verified: false,
      rounds: 1,
      fingerprint: 'after',
      failures: ['command npm test: exited with code 1'],
      at: 5,
    },
  })
})

test('it is sent back at most twice', () => {
  const second = decideVerification(earlier(1, 'a'), failing('b'), 0)
  expect(second).toMatchObject({ kind: 'resume', verification: { rounds: 2 } })
  const third = decideVerification(second.verification, failing('c'), 0)
  expect(third).toMatchObject({
    kind: 'failed',
    reason: 'incomplete: command npm test: exited with code 1 (sent back 2 times)',
    verification: { verified: false, rounds: 2 },
  })
})

test('when nothing changed since it was sent back, it fails at once', () => {
  const { kind, reason } = decideVerification(earlier(1, 'same'), failing('same', 'other'), 0)
  expect(kind).toBe('failed')
  expect(reason).toContain('nothing changed since it was sent back')
})

test('a task that was never sent back is, even if it looks as it did', () => {
  expect(decideVerification(earlier(0, 'same'), failing('same'), 0).kind).toBe('resume')
})
