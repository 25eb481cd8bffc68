// Each tool call is sent once, whatever the clock shows.
import { expect, test } from 'vitest'
import type { RunStep } from '../../src/domain/task/run.ts'
import type { SpanFacts } from '../../src/traces/span.ts'
import { Tracing } from '../../src/traces/tracing.ts'
import { NOON, RUN_ID, TASK_ID } from '../builders/ids.ts'
import { aTask } from '../builders/task.ts'

const MOST_STEPS = 40

function tracing() {
  const spans: SpanFacts[] = []
  const traces = new Tracing({
    store: {
      task: async () => aTask({ id: TASK_ID }),
      transitions: async () => [],
      runsOf: async () => [],
    },
    sink: { add: (span) => void spans.push(span) },
    startedAt: NOON,
  })
  let steps: RunStep[] = []
  return {
    /** A commit that tells of the run's last steps, with this one as the newest. */
    ended: async (tool: string, at: number, endedAt: number | null = at) => {
      const end = endedAt === null ? { ok: null } : { ok: true, endedAt }
      steps = [...steps.filter((one) => one.tool !== tool), { tool, detail: '', at, ...end }].slice(
        -MOST_STEPS,
      )
      traces.hear({ did: { taskId: TASK_ID, runId: RUN_ID, steps } })
      await traces.whenIdle()
    },
    tools: () => spans.map(({ attributes }) => attributes['gen_ai.tool.name']),
  }
}

test('a tool that ends when the clock was set back, or in the same millisecond as another, has its span', async () => {
  const { ended, tools } = tracing()
  await ended('first', NOON + 60_000)
  await ended('same moment', NOON + 60_000)
  await ended('set back', NOON + 1_000)
  await ended('before the daemon', NOON - 60_000)
  await ended('last', NOON + 2_000)
  expect(tools()).toEqual(['first', 'same moment', 'set back', 'before the daemon', 'last'])
})

test('a tool has its span when it ends, once, however often it is told of', async () => {
  const { ended, tools } = tracing()
  await ended('slow', NOON + 1, null)
  for (let n = 0; n < 2 * MOST_STEPS; n++) await ended(`tool ${n}`, NOON + 10 + n)
  await ended('slow', NOON + 1, NOON + 1_000)
  expect(tools()).toEqual([...Array.from({ length: 2 * MOST_STEPS }, (_, n) => `tool ${n}`), 'slow'])
})

test('what ended before this daemon began is not sent again', async () => {
  const { ended, tools } = tracing()
  await ended('earlier', NOON - 1_000)
  await ended('now', NOON + 1_000)
  expect(tools()).toEqual(['now'])
})
