// A wall clock that jumps, in both directions, under real store and files.
import { expect, test } from 'vitest'
import { mergeConfig } from '../../src/domain/settings/merge-config.ts'
import { taskJson } from '../../src/protocol/json/task-json.ts'
import { createTask } from '../../src/supervisor/starting/create-task.ts'
import { startCore } from '../helpers/core-world.ts'

test('with a clock set back, ids stay unique, the order of events stays, and no time is negative', async () => {
  const { core, clock, request } = await startCore()
  const { config } = mergeConfig([])
  clock.wall = Date.UTC(2026, 0, 2, 12, 0, 0)
  const first = await createTask(request('one'), config, core)
  clock.wall = Date.UTC(2026, 0, 1, 12, 0, 0)
  const second = await createTask(request('two'), config, core)
  clock.wall = Date.UTC(2026, 0, 2, 12, 0, 0)
  const third = await createTask(request('three'), config, core)
  expect(new Set([first.id, second.id, third.id]).size).toBe(3)
  expect(third.id).toBe(`${first.id}-2`)
  const events = await core.store.events(0, 10)
  expect(events.map(({ seq, taskId }) => [seq, taskId])).toEqual([
    [1, first.id],
    [2, second.id],
    [3, third.id],
  ])
  clock.wall = Date.UTC(2020, 0, 1)
  const none = { waits_for: null, waits_until: null }
  const places = { ...core.handoff.paths(first), tmuxSession: 's' }
  expect(taskJson(first, places, clock.now(), none, null).elapsed_seconds).toBe(0)
})
