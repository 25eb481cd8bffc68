// The defaults that the specification of the tmux supervisor names, written here by hand from its text.
import { expect, test } from 'vitest'
import type { Config } from '../../../src/domain/settings/config.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const { config } = mergeConfig([])

test.each<[section: string, what: string, key: keyof Config, value: number]>([
  ['6.6', 'quiet window required before injection: 20s', 'quiet.window', 20 * SECOND],
  ['6.6', 'defer re-check interval: 5s', 'trigger.deferRecheck', 5 * SECOND],
  ['6.6', 'max defer window: 60s', 'trigger.deferMax', 60 * SECOND],
  ['7.3', 'resume attempts: 2', 'trigger.resumeAttempts', 2],
  ['7.3', 'stale session cutoff: >12h since last heartbeat', 'runtime.staleAfter', 12 * HOUR],
  ['7.3', 'crash-loop shortcut: >=3 failures', 'crashLoop.deaths', 3],
  ['7.3', 'crash-loop shortcut: in 15m', 'crashLoop.window', 15 * MINUTE],
  ['8', 'ack timeout, initial: 8 seconds', 'trigger.ackTimeout', 8 * SECOND],
  ['8', 'ack timeout, retries: 2', 'trigger.ackRetries', 2],
  ['8.1', 'no-progress auto-block threshold: 20 turns', 'thread.maxTurns', 20],
  ['8.1', 'repeated-identical-finding auto-block threshold: 3 cycles', 'thread.maxIdenticalFindings', 3],
  ['11', 'interval: every 5 seconds', 'reconcile.interval', 5 * SECOND],
])('the default is that of seed 001 §%s, %s', (_section, _what, key, value) => {
  expect(config[key]).toBe(value)
})

test('the default is that of seed 001 §8, backoff: 2s then 4s', () => {
  const waits = [0, 1].map((retry) => config['trigger.ackBackoff'] * 2 ** retry)
  expect(waits).toEqual([2 * SECOND, 4 * SECOND])
})

/** The specification names these limits without a number. */
test.each<[section: string, what: string, key: keyof Config, value: number]>([
  ['6.8', 'the grace window', 'runtime.grace', 30 * SECOND],
  ['9', 'start_timeout', 'runtime.startTimeout', 60 * SECOND],
  ['10', 'the rate limit per thread, each minute', 'trigger.ratePerThread', 30],
  ['10', 'the rate limit per agent, each minute', 'trigger.ratePerAgent', 60],
  ['11', 'repeated restart failures', 'runtime.maxRestarts', 5],
  ['12', 'short-lived tokens', 'token.lifetime', 15 * MINUTE],
  ['12', 'a payload that is length-limited, in bytes', 'trigger.maxBytes', 64 * 1024],
])('where seed 001 §%s has no number for %s, ours stays as it is', (_section, _what, key, value) => {
  expect(config[key]).toBe(value)
})
