import { expect, test } from 'vitest'
import { whyJson } from '../../../src/server/views/why.ts'
import type { Story } from '../../../src/supervisor/desk.ts'
import { aRun } from '../../builders/run.ts'
import { aNewTask } from '../../builders/task.ts'

const storyWith = (runs: Story['runs']): Story => ({
  task: aNewTask(),
  at: 0,
  waits: { for: null, until: null },
  unsaid: { prompts: 0, kept: null },
  next: { kind: 'queued', what: '', at: null, question: null, runtime: null },
  bridge: null,
  elsewhere: null,
  question: null,
  transitions: [],
  runs,
})

test('a run tells of its last tool calls, without secrets, and with their times where they are known', () => {
  const secret = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz'
  const steps = [
    { tool: 'Bash', detail: `curl -H ${secret}`, ok: true, at: 1000, endedAt: 2500 },
    { tool: 'Read', detail: 'a.txt', ok: null },
  ]
  const [run] = whyJson(storyWith([aRun({ steps })])).runs
  expect(run!.steps).toEqual([
    {
      tool: 'Bash',
      detail: expect.not.stringContaining(secret),
      ok: true,
      at: '1970-01-01T00:00:01.000Z',
      ended_at: '1970-01-01T00:00:02.500Z',
    },
    { tool: 'Read', detail: 'a.txt', ok: null, at: null, ended_at: null },
  ])
})

test('of very many runs only the last ones tell of their tool calls', () => {
  const steps = [{ tool: 'Bash', detail: '', ok: true }]
  const runs = Array.from({ length: 25 }, (_, index) => aRun({ number: index + 1, steps }))
  const told = whyJson(storyWith(runs)).runs
  expect(told.filter((run) => run.steps.length > 0).map(({ number }) => number)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 6),
  )
})
