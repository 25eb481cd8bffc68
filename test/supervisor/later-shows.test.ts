import { expect, test } from 'vitest'
import { asTaskId, type TaskId } from '../../src/domain/ids.ts'
import { LaterShows } from '../../src/supervisor/later-shows.ts'

const [one, two] = ['one', 'two'].map(asTaskId) as [TaskId, TaskId]

/** A clock that goes on when told to; each step lets a due timer go off and its work end. */
function world() {
  let now = 0
  let timer: { at: number; call: () => void } | undefined
  const shown: TaskId[] = []
  const state = { isBusy: false }
  const shows = new LaterShows({
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
    show: async (id) => {
      shown.push(id)
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
  return { shows, shown, state, pass, isArmed: () => timer !== undefined }
}

test('a task is shown a moment later, once', async () => {
  const { shows, shown, pass, isArmed } = world()
  shows.add(one)
  shows.add(one)
  await pass(100)
  expect(shown).toEqual([])
  await pass(100)
  expect([shown, isArmed()]).toEqual([[one], false])
})

test('not when somebody has shown it meanwhile', async () => {
  const { shows, shown, pass, isArmed } = world()
  shows.add(one)
  shows.add(two)
  shows.remove(one)
  await pass(200)
  expect([shown, isArmed()]).toEqual([[two], false])
})

test('while others are started it waits, but not for ever', async () => {
  const { shows, shown, state, pass } = world()
  state.isBusy = true
  shows.add(one)
  for (let at = 200; at < 10_000; at += 200) await pass(200)
  shows.add(two)
  expect(shown).toEqual([])
  await pass(200)
  expect(shown).toEqual([one])
  state.isBusy = false
  await pass(200)
  expect(shown).toEqual([one, two])
})

test('a daemon that stops shows all that wait', async () => {
  const { shows, shown, state, isArmed } = world()
  state.isBusy = true
  shows.add(one)
  shows.add(two)
  await shows.flush()
  expect([shown, isArmed()]).toEqual([[one, two], false])
})
