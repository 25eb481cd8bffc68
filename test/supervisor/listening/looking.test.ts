import { expect, test } from 'vitest'
import type { EventKind } from '../../../src/domain/journal/events.ts'
import type { Committed } from '../../../src/ports/store/commits.ts'
import { lookingListener } from '../../../src/supervisor/listening/looking.ts'
import { taskId } from '../../builders/ids.ts'

/** What is looked at after a commit with this event. */
function looksAfter(kind: EventKind, of: string | null = 'one') {
  const looks: string[] = []
  const listener = lookingListener({
    lookAtScreenToo: (id) => looks.push(`screen of ${id}`),
    look: (id) => looks.push(`run of ${id}`),
  })
  const event = { kind, taskId: of === null ? null : taskId(of), at: 1, data: {} }
  listener.hear({ events: [event], tasks: new Set() } as unknown as Committed)
  return looks
}

test.each(['input_queued', 'task_prompt_waits', 'trigger_queued', 'trigger_forced'] as const)(
  'after %s the screen is looked at, although nothing was drawn',
  (kind) => {
    expect(looksAfter(kind)).toEqual([`screen of ${taskId('one')}`])
  },
)

test.each([
  'stop_ordered',
  'restart_ordered',
  'question_answered',
  'task_question_asked',
  'question_added',
  'task_question_settled',
] as const)('after %s the run is looked at', (kind) => {
  expect(looksAfter(kind)).toEqual([`run of ${taskId('one')}`])
})

test('what is of no task, or asks for nothing, is not followed by a look', () => {
  expect(looksAfter('trigger_queued', null)).toEqual([])
  expect(looksAfter('trigger_done')).toEqual([])
})
