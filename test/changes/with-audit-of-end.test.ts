import { expect, test } from 'vitest'
import { moveTask } from '../../src/changes/move-task.ts'
import { withAuditOfEnd } from '../../src/changes/with-audit-of-end.ts'
import { asTaskId } from '../../src/domain/names/ids.ts'
import type { TaskEvent, TaskStatus } from '../../src/domain/task/machine.ts'
import { phaseChange } from '../builders/phases.ts'

const id = asTaskId('t')
const move = (from: TaskStatus, event: TaskEvent) =>
  moveTask({ id, from, ...phaseChange(event), reason: 'why', evidence: [], at: 1 })

test('an end without a row of its own gets one', () => {
  expect(withAuditOfEnd({ task: move('running', 'completed') }).audit).toEqual({
    at: 1,
    kind: 'task_completed',
    taskId: id,
    actor: 'holdfast',
    detail: 'why',
  })
})

test('an end keeps its own row, and what is no end needs none', () => {
  const audit = { at: 1, kind: 'task_cancelled', taskId: id, actor: 'ada', detail: 'enough' } as const
  expect(withAuditOfEnd({ task: move('running', 'cancelled'), audit }).audit).toBe(audit)
  expect(withAuditOfEnd({ task: move('running', 'turn_finished') }).audit).toBeUndefined()
})
