import { expect, test } from 'vitest'
import { type ScreenSeen, seenAfter, seenWhenSaid } from '../../../src/delivery/typing/screen-seen.ts'
import type { Task } from '../../../src/domain/task/task.ts'
import { reading, type ScreenPhase } from '../../../src/ports/run/screen.ts'
import { inPhase } from '../../builders/phases.ts'
import { aTask } from '../../builders/task.ts'

const working = aTask(inPhase.working())
const idle = aTask(inPhase.idle())
const after = (looks: readonly (readonly [ScreenPhase, Task])[]) =>
  looks.reduce<ScreenSeen | null>((seen, [phase, task]) => seenAfter(seen, reading(phase, ''), task, 7), null)

test('looks on end are counted; having worked stays', () => {
  expect(
    after([
      ['working', working],
      ['idle', working],
      ['idle', working],
    ]),
  ).toEqual({
    phase: 'idle',
    dialog: undefined,
    looks: 2,
    activeAt: 7,
    worked: true,
    changed: true,
    rested: false,
  })
})

test('it has rested when it was drawn so while its task is idle, and no longer when a turn began', () => {
  expect(after([['working', idle]])).toMatchObject({ rested: false })
  const worksAgain = [
    ['idle', idle],
    ['working', idle],
  ] as const
  expect(after(worksAgain)).toMatchObject({ rested: true })
  expect(after([...worksAgain, ['working', working]])).toMatchObject({ rested: false })
})

test('what it shows has changed when it shows another phase than in the moment in which it was told something', () => {
  const said = seenWhenSaid(reading('error', ''), 7)
  const same = seenAfter(said, reading('error', ''), working, 7)
  expect(same).toMatchObject({ looks: 1, changed: false })
  const other = seenAfter(same, reading('limit', ''), working, 8)
  expect(other).toMatchObject({ looks: 1, changed: true })
  expect(seenAfter(other, reading('limit', ''), working, 8)).toMatchObject({ looks: 2, changed: true })
})

test('another dialog is counted from its first look on', () => {
  const asks = (text: string) => reading('asking', '❯ 1. yes', { question: { text, options: ['yes', 'no'] } })
  const first = seenAfter(null, asks('Delete /tmp/a?'), working, 7)
  const again = seenAfter(first, asks('Delete /tmp/a?'), working, 7)
  expect(again).toMatchObject({ looks: 2, dialog: 'Delete /tmp/a?' })
  expect(seenAfter(again, asks('Delete /home?'), working, 7)).toMatchObject({ looks: 1 })
})
