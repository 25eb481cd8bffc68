import { describe, expect, test } from 'vitest'
import type { RunStep } from '../../../src/domain/task/run.ts'
import type { SessionUsage } from '../../../src/domain/task/task.ts'
import type { AgentDriver, AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { effectsOf } from '../../../src/supervisor/reading/effects.ts'

const driver = { sessionIdPattern: /^[a-f]{8}$/ } as AgentDriver
const NOON = new Date(2026, 10, 15, 12).getTime()
const HOUR = 3_600_000

type Stored = { sessionId?: string; sessionUsage?: SessionUsage; steps?: readonly RunStep[] }
const effects = (says: readonly AgentSays[], { sessionId, sessionUsage, steps = [] }: Stored = {}) =>
  effectsOf(
    says,
    driver,
    { task: { sessionId: sessionId ?? null, sessionUsage: sessionUsage ?? null }, run: { steps } },
    NOON,
  )

const began = (tool: string, detail: string, file?: string): AgentSays => ({
  kind: 'tool_began',
  tool,
  detail,
  ...(file === undefined ? {} : { file }),
})
const ended = (tool: string, ok = true): AgentSays => ({ kind: 'tool_ended', tool, ok, detail: 'its output' })
const done: AgentSays = { kind: 'finished', ok: true, text: 'done' }
const failed = (failure?: 'limit' | 'transient'): AgentSays => ({
  kind: 'finished',
  ok: false,
  text: 'no',
  ...(failure === undefined ? {} : { failure }),
})
const limited = (untilMs: number | null, resets?: string): AgentSays => ({
  kind: 'limited',
  message: 'm',
  untilMs,
  ...(resets === undefined ? {} : { resets }),
})

describe('usage', () => {
  const usage = (tokensIn: number, tokensOut: number, cumulative?: boolean): AgentSays => ({
    kind: 'usage',
    tokensIn,
    tokensOut,
    costUsd: 0,
    cumulative,
  })
  const session = (id: string): AgentSays => ({ kind: 'session', id })
  const sum = (of: string, tokensIn: number, tokensOut: number) => ({
    session: of,
    tokensIn,
    tokensOut,
    costUsd: 0,
  })

  test('turns are added up', () => {
    const added = effects([usage(1, 2), usage(3, 4)], { sessionId: 'aaaaaaaa' })
    expect(added).toMatchObject({ tokensIn: 4, tokensOut: 6 })
    expect(added).not.toHaveProperty('sessionUsage')
  })

  test('a sum over the session counts by what it exceeds the one told before', () => {
    const stored = { sessionId: 'aaaaaaaa', sessionUsage: sum('aaaaaaaa', 100, 10) }
    const said = [session('aaaaaaaa'), usage(120, 12, true), usage(150, 15, true)]
    expect(effects(said, stored)).toMatchObject({
      tokensIn: 50,
      tokensOut: 5,
      sessionUsage: sum('aaaaaaaa', 150, 15),
    })
    expect(effects([usage(100, 10, true)], stored)).toMatchObject({ tokensIn: 0, tokensOut: 0 })
  })

  test('a new session’s sum counts whole, be it larger or smaller', () => {
    const stored = { sessionId: 'aaaaaaaa', sessionUsage: sum('aaaaaaaa', 100, 10) }
    for (const tokensIn of [30, 300])
      expect(effects([session('bbbbbbbb'), usage(tokensIn, 3, true)], stored)).toMatchObject({
        tokensIn,
        tokensOut: 3,
        sessionUsage: sum('bbbbbbbb', tokensIn, 3),
      })
  })
})

test('what a hook or rule stopped is kept with its reason', () => {
  const says: AgentSays[] = [{ kind: 'blocked', tool: 'Bash', why: 'not on Fridays' }]
  expect(effects(says)).toMatchObject({ blocked: ['Bash: not on Fridays'] })
})

describe('steps', () => {
  test('a tool that began and ended is one step, told by what was asked of it', () => {
    expect(effects([began('edit', 'a.ts', '/p/a.ts'), ended('edit'), began('shell', 'make')])).toMatchObject({
      tools: 2,
      progress: 1,
      steps: [
        { tool: 'edit', detail: 'a.ts', file: '/p/a.ts', ok: true },
        { tool: 'shell', detail: 'make', ok: null },
      ],
    })
  })

  test('a tool may have begun in an earlier reading, and its end may not name it', () => {
    const { steps } = effects([began('Read', 'a'), began('Bash', 'make')])
    expect(effects([ended('', false), ended('')], { steps })).toMatchObject({
      tools: 0,
      progress: 1,
      steps: [
        { tool: 'Read', detail: 'a', ok: false },
        { tool: 'Bash', detail: 'make', ok: true },
      ],
    })
  })

  test('an end whose beginning was never told is a tool call all the same', () => {
    expect(effects([ended('web_search')])).toMatchObject({
      tools: 1,
      steps: [{ tool: 'web_search', detail: 'its output', ok: true }],
    })
  })

  test('what a turn leaves open is not taken for the next tool that ends', () => {
    const { steps } = effects([began('Bash', 'one'), failed()])
    expect(effects([began('Bash', 'two'), ended('')], { steps })).toMatchObject({
      steps: [
        { detail: 'one', ok: false },
        { detail: 'two', ok: true },
      ],
    })
  })

  test('the latest forty are kept, and of each the beginning', () => {
    const many = Array.from({ length: 100 }, (_, at) => began('t', `${at} ${'🙂'.repeat(1000)}`))
    const { steps = [], tools } = effects(many)
    expect([tools, steps.length, steps[0]?.detail.slice(0, 3)]).toEqual([100, 40, '60 '])
    expect(steps[0]?.detail).toMatch(/^60 🙂+$/u)
    expect(steps[0]?.detail.length).toBeLessThanOrEqual(300)
  })

  test('a note, usage or words change nothing', () => {
    const idle: AgentSays[] = [
      { kind: 'note', text: 'retry 1' },
      { kind: 'said', text: 'hm' },
      { kind: 'usage', tokensIn: 1, tokensOut: 1, costUsd: 0 },
    ]
    const after = effects(idle, { steps: [{ tool: 't', detail: 'd', ok: null }] })
    expect(after).toMatchObject({ tools: 0, progress: 0 })
    for (const field of ['steps', 'failure', 'limitedUntil', 'result'])
      expect(after).not.toHaveProperty(field)
  })
})

describe('failure', () => {
  test.each<[AgentSays[], object]>([
    [[done], { failure: null, limitedUntil: null, progress: 1 }],
    [[failed('transient')], { failure: 'transient', limitedUntil: null, progress: 0 }],
    [[failed()], { failure: null, result: { ok: false } }],
    [[failed('transient'), done], { failure: null, result: { ok: true } }],
    [[failed('transient'), began('t', 'd')], { failure: null, result: null }],
    [[limited(NOON + 5), failed('limit')], { failure: 'limit', limitedUntil: NOON + 5 }],
    [[limited(NOON + 5), limited(null, 'in 3h'), failed('limit')], { limitedUntil: NOON + 5 }],
    [[limited(null, 'try again at 7:41 PM.'), failed('limit')], { limitedUntil: NOON + 7.7 * HOUR }],
    [[limited(null, 'in 2h')], { failure: 'limit', limitedUntil: NOON + 2 * HOUR }],
    [[limited(NOON + 5), failed('limit'), done], { failure: null, limitedUntil: null }],
  ])('after %j the run has %j', (says, expected) => expect(effects(says)).toMatchObject(expected))

  test('where no end is told now, one told before still counts', () => {
    expect(effects([failed('limit')])).not.toHaveProperty('limitedUntil')
    expect(effects([limited(null), failed('limit')])).not.toHaveProperty('limitedUntil')
  })
})
