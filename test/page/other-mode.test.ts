import { expect, test } from 'vitest'
import { canGoOnElsewhere } from '../../web/src/words/other-mode.ts'
import { aNext, aTaskJson } from '../builders/task-json.ts'

const works = aTaskJson({ task_status: 'running', phase: 'working', agent_session_id: 'a-session' })

test.each([
  ['works', {}, true],
  ['was stopped by a person', { task_status: 'waiting_input', phase: 'stopped_by_person' }, true],
  ['waits in the queue', { task_status: 'pending', phase: 'queued' }, false],
  ['has no session of its agent yet', { agent_session_id: null }, false],
  ['is being ended', { stopping: 'killed by somebody' }, false],
  ['is being restarted', { next: aNext({ kind: 'being_restarted', what: 'takeover' }) }, false],
  ['has ended', { task_status: 'completed', phase: null }, false],
] as const)('a task that %s can go on in the other mode: %3$s', (_, changes, can) =>
  expect(canGoOnElsewhere({ ...works, ...changes })).toBe(can),
)
