import { expect, test } from 'vitest'
import type { EventKind, JournalEvent } from '../../../src/domain/journal/events.ts'
import { asNodeId, asTaskId, type TaskId } from '../../../src/domain/names/ids.ts'
import { TaskFiles } from '../../../src/supervisor/listening/task-files.ts'

const [one, two] = ['one', 'two'].map(asTaskId) as [TaskId, TaskId]

/** A clock that goes on when told to; each step lets a due timer go off and its work end. */
function world() {
  let now = 0
  let timer: { at: number; call: () => void } | undefined
  const written: TaskId[] = []
  const state = { isBusy: false, lock: Promise.resolve() }
  const files = new TaskFiles({
    clock: {
      monotonic: () => now,
      after: (ms, call) => {
        const mine = { at: now + ms, call }
        timer = mine
        return () => {
          if (timer === mine) timer = undefined
        }
      },
    },
    isBusy: () => state.isBusy,
    write: async (id, isWanted) => {
      await state.lock
      if (!isWanted()) return
      files.dropDeferred(id)
      written.push(id)
    },
  })
  const pass = async (ms: number) => {
    now += ms
    if (timer !== undefined && timer.at <= now) {
      const { call } = timer
      timer = undefined
      call()
    }
    await new Promise(setImmediate)
  }
  const committed = (taskId: TaskId, ...kinds: EventKind[]) =>
    files.hear({
      tasks: new Set([taskId]),
      events: kinds.map(
        (kind, seq) => ({ seq, nodeId: asNodeId('n'), at: 0, kind, taskId, data: {} }) as JournalEvent,
      ),
    })
  return { files, written, state, pass, committed, isArmed: () => timer !== undefined }
}

test.each<EventKind>([
  'task_launched',
  'task_question_asked',
  'task_parked',
  'task_reopened',
  'hook_violation',
])('after %s the files follow at once', async (kind) => {
  const { written, committed, pass, isArmed } = world()
  committed(one, kind)
  await pass(0)
  expect([written, isArmed()]).toEqual([[one], false])
})

test('one that goes on is shown a moment later, once, also when it starts meanwhile', async () => {
  const { written, committed, pass, isArmed } = world()
  committed(one, 'task_requeued')
  committed(one, 'task_launched')
  committed(one, 'task_agent_started')
  await pass(100)
  expect(written).toEqual([])
  await pass(100)
  expect([written, isArmed()]).toEqual([[one], false])
})

test('what else happens to it meanwhile is shown at once', async () => {
  const { written, committed, pass } = world()
  committed(one, 'task_requeued')
  committed(one, 'task_question_asked')
  await pass(0)
  expect(written).toEqual([one])
  await pass(200)
  expect(written).toEqual([one])
})

test('what says nothing of its state, and what others write, is not written here', async () => {
  const { written, committed, pass } = world()
  committed(
    one,
    'input_queued',
    'task_created',
    'task_completed',
    'task_archived',
    'task_removed',
    'gate_opened',
  )
  await pass(10_000)
  expect(written).toEqual([])
})

test('while others are started it waits, but not for ever', async () => {
  const { written, state, committed, pass } = world()
  state.isBusy = true
  committed(one, 'task_requeued')
  for (let at = 200; at < 10_000; at += 200) await pass(200)
  committed(two, 'task_requeued')
  expect(written).toEqual([])
  await pass(200)
  expect(written).toEqual([one])
  state.isBusy = false
  await pass(200)
  expect(written).toEqual([one, two])
})

test('who waits for the files of a task gets them at once', async () => {
  const { files, written, state, committed } = world()
  state.isBusy = true
  committed(one, 'task_requeued')
  committed(two, 'task_requeued')
  await files.whenWritten(two)
  expect(written).toEqual([two])
})

test('a daemon that stops leaves no file behind what is stored', async () => {
  const { files, written, state, committed, isArmed } = world()
  state.isBusy = true
  committed(one, 'task_requeued')
  committed(two, 'task_requeued')
  await files.flush()
  expect([written, isArmed()]).toEqual([[one, two], false])
})

test('a write that waits for the lock when the task ends is left to whoever tidies it up; one after it was reopened is not', async () => {
  const { files, written, state, committed } = world()
  let unlock = () => {}
  state.lock = new Promise((resolve) => (unlock = resolve))
  committed(one, 'task_agent_started')
  committed(two, 'task_agent_started')
  committed(one, 'task_completed')
  unlock()
  await files.whenWritten(one)
  await files.whenWritten(two)
  expect(written).toEqual([two])
  committed(one, 'task_reopened')
  await files.whenWritten(one)
  expect(written).toEqual([two, one])
})
