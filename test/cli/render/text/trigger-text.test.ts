// The page of `trigger show`, whole, as a person reads it: where it is, why, what follows, what to do, and its way so far.
import { expect, test } from 'vitest'
import { trackingPage } from '../../../../src/cli/render/text/trigger-text.ts'
import type { TriggerDetailJson, TriggerStepJson } from '../../../../src/protocol/json/trigger-json.ts'
import { aNext } from '../../../builders/task-json.ts'

/** In local time, as it is shown. */
const at = (second: number) => new Date(2025, 10, 18, 15, 30, second).toISOString()

type Step = readonly [second: number, state: TriggerStepJson['state'], ...facts: string[]]
const steps = (...all: readonly Step[]): TriggerStepJson[] =>
  all.map(([second, state, ...facts], index) => ({
    number: index + 1,
    event: state === 'fallen_back' ? 'fell_back' : state,
    state,
    code: null,
    at: at(second),
    evidence: facts.map((fact) => ({ source: 'screen', fact })),
  }))

const page = (changes: Partial<TriggerDetailJson>, second = 20) => {
  const trigger: TriggerDetailJson = {
    trigger_id: 'trg_1',
    session_id: 's1',
    number: 2,
    thread: null,
    reason: null,
    key: null,
    framed: false,
    by: 'ann',
    at: at(5),
    bytes: 9,
    state: 'queued',
    code: null,
    state_since: at(5),
    acknowledged_by: null,
    forced_by: null,
    forced_why: null,
    sanitised: [],
    text: 'fix it\nnow',
    steps: steps([5, 'queued', 'sent by ann']),
    waits_until: null,
    phase: 'idle',
    mode: 'interactive',
    next: aNext({ kind: 'idle', what: 'waits for a prompt' }),
    kept_back: null,
    ...changes,
  }
  return `\n${trackingPage(trigger, Date.parse(at(second))).join('\n')}\n`
}

const DRAFT = {
  reason: 'draft',
  what: 'its input box holds unsent text: "half"',
  prompts: 1,
  since: null,
} as const

test('delivered: what became of it comes first, then whose it is, then each step with what was seen', () => {
  const delivered = page({
    state: 'done',
    thread: 'th_1',
    reason: 'review',
    sanitised: ['leading_command'],
    next: aNext({ kind: 'idle', what: 'waits for a prompt', runtime: 'reviewer@app' }),
    steps: steps(
      [5, 'queued', 'sent by ann'],
      [6, 'typed', 'Enter was pressed'],
      [6, 'submitted', 'it left the box'],
      [7, 'acknowledged', 'ack_trigger'],
      [9, 'done', 'Idle'],
    ),
  })
  expect(delivered).toBe(`
trg_1 was worked off: the turn that it began is over.
  Changed in the text: "Task: " was put before it, because agents take its beginning for a command.

To:     reviewer@app (s1)
From:   ann
Sent:   2025-11-18 15:30:05 (15s ago)
Thread: th_1
Reason: review
Text:   fix it now (9 bytes)

15:30:05  queued
          screen: sent by ann
15:30:06  typed
          screen: Enter was pressed
15:30:06  submitted
          screen: it left the box
15:30:07  acknowledged
          screen: ack_trigger
15:30:09  done
          screen: Idle
`)
})

const head = (text: string) => text.split('\n\n')[0]?.trim().split('\n')

test('deferred: who keeps it, that it is not given up, and what to do about it', () => {
  const kept = { state: 'deferred', kept_back: DRAFT, waits_until: at(59) } as const
  expect(head(page({ ...kept, code: 'OPERATOR_BUSY' }))).toEqual([
    'trg_1 waits (OPERATOR_BUSY).',
    '  Why: its input box holds unsent text: "half"',
    '  Then: at 15:30:59 whoever waits for it is told; it still waits',
    '  Do: send or delete that text there: `holdfast attach s1`.',
  ])
  expect(head(page({ ...kept, code: 'DEFER_TIMEOUT', waits_until: null }))).toEqual([
    'trg_1 waits (DEFER_TIMEOUT).',
    '  Why: its input box holds unsent text: "half"',
    '  Do: send or delete that text there: `holdfast attach s1`.',
  ])
  const limited = { state: 'deferred', code: 'TRIGGER_RATE_LIMITED', waits_until: at(59) } as const
  expect(head(page(limited))?.slice(0, 3)).toEqual([
    'trg_1 waits (TRIGGER_RATE_LIMITED).',
    '  Why: messages of its thread or its sender wake agents too often',
    '  Then: at 15:30:59 it is given to the agent',
  ])
})

test('queued: behind the turn of an agent at work, or for what its session waits for', () => {
  expect(head(page({ phase: 'working' }))).toEqual([
    'trg_1 waits to be given to the agent.',
    '  Why: the agent is at work; it comes after this turn',
  ])
  expect(
    head(page({ phase: 'parked', next: aNext({ kind: 'parked', what: 'goes on when the limit ends' }) })),
  ).toEqual([
    'trg_1 waits to be given to the agent.',
    '  Next: goes on when the limit ends. At once: `holdfast unpark s1`',
  ])
})

test('submitted, and its session ended: that the agent had it, and no acknowledgement is awaited', () => {
  expect(head(page({ state: 'submitted', phase: null, waits_until: at(59) }))).toEqual([
    'trg_1 was with the agent when its session ended.',
  ])
})

test('failed: whether it is kept for a session that ended or was given up, and how it can still be sent', () => {
  expect(head(page({ state: 'failed', code: 'TARGET_NOT_FOUND', phase: null }))).toEqual([
    'trg_1 did not reach the agent before its session ended (TARGET_NOT_FOUND).',
    '  Do: The session it was for has ended: `holdfast resume s1` brings it back, and the prompt is sent then.',
  ])
  const next = aNext({ kind: 'ended', what: 'nothing', runtime: 'reviewer@app' })
  expect(head(page({ state: 'failed', code: 'TARGET_NOT_FOUND', phase: null, next }))?.[1]).toBe(
    '  Do: The runtime it was for is stopped: `holdfast runtime start reviewer --workspace app` brings it back, and the prompt is sent then.',
  )
  const givenUp = head(page({ state: 'failed', code: 'SPAWN_FAILED' }))
  expect(givenUp?.[0]).toBe('trg_1 was given up (SPAWN_FAILED).')
  expect(givenUp?.[1]).toContain('send the prompt again')
})

test.each(['PANE_DEAD', 'ACK_TIMEOUT', 'RESUME_FAILED'] as const)(
  'fallen back (%s): it goes to the next run, whatever kind of run that is, and nobody has to do anything',
  (code) => {
    const next = aNext({ kind: 'starting', what: 'its agent is being started' })
    expect(head(page({ state: 'fallen_back', code, next, kept_back: DRAFT }))).toEqual([
      `trg_1 did not reach the run before, and is for the one that takes its place (${code}).`,
      '  Next: its agent is being started',
      '  Do: nothing; it is given to that run by itself.',
    ])
  },
)

test('fallen back: behind the turn of the run that has taken over, or for a person who has to decide', () => {
  const fallen = { state: 'fallen_back', code: 'PANE_DEAD' } as const
  expect(head(page({ ...fallen, phase: 'working' }))?.slice(1)).toEqual([
    '  Why: the agent is at work; it comes after this turn',
    '  Do: nothing; it is given to that run by itself.',
  ])
  const next = aNext({ kind: 'awaits_answer', what: 'waits for your answer' })
  expect(head(page({ ...fallen, phase: 'stuck', next }))?.slice(1)).toEqual([
    '  Next: waits for your answer: `holdfast answer s1 <choice>`',
  ])
})

test('blocked: the commands that help name its thread', () => {
  const blocked = page({ state: 'failed', code: 'THREAD_AUTO_BLOCKED', thread: 'th_1' })
  expect(head(blocked)?.[1]).toContain('`holdfast thread continue th_1`')
})

test.each(['submitted', 'acknowledged', 'unconfirmed'] as const)(
  '%s, and its agent asks, or is not there: what that waits for is said, not a time that has passed',
  (state) => {
    const asks = aNext({ kind: 'awaits_answer', what: 'waits for your answer' })
    expect(head(page({ state, phase: 'asking', next: asks, waits_until: at(10) }))?.slice(1)).toEqual([
      '  Next: waits for your answer: `holdfast answer s1 <choice>`',
    ])
    const back = aNext({ kind: 'backing_off', what: 'resumes its session', at: at(30) })
    expect(head(page({ state, phase: 'backing_off', next: back, waits_until: at(10) }))?.slice(1)).toEqual([
      '  Next: in 10s (15:30:30): resumes its session',
    ])
  },
)

test('unconfirmed: whether it arrived is said where that is known', () => {
  const silent = { state: 'unconfirmed', code: 'ACK_TIMEOUT' } as const
  const typed = steps([5, 'queued'], [6, 'typed'], [14, 'unconfirmed'])
  const begun = steps([5, 'queued'], [6, 'typed'], [6, 'submitted'], [14, 'unconfirmed'])
  expect(head(page({ ...silent, steps: typed }))?.[0]).toBe(
    'trg_1 was given to the agent, which has not confirmed it (ACK_TIMEOUT).',
  )
  expect(head(page({ ...silent, steps: begun }))?.[0]).toBe(
    'trg_1 is with the agent, which has not acknowledged it (ACK_TIMEOUT).',
  )
  expect(page({ ...silent, steps: begun })).toContain('`holdfast screen s1` shows what the agent does')
})

test('awaited: until when, and that a step was late', () => {
  const late = { ...steps([8, 'submitted', 'no acknowledgement for 8s'])[0]!, event: 'ack_late' as const }
  const waiting = page({
    state: 'submitted',
    waits_until: at(30),
    steps: [...steps([6, 'submitted', 'it left the box']), late],
  })
  expect(head(waiting)).toEqual([
    'trg_1 is with the agent.',
    '  Until: 15:30:30 (an acknowledgement is awaited)',
  ])
  expect(waiting).toContain('15:30:08  submitted (not acknowledged yet)\n')
})
