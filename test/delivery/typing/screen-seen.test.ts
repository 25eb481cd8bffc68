import { expect, test } from 'vitest'
import { type ScreenSeen, seenAfter, seenWhenSaid } from '../../../src/delivery/typing/screen-seen.ts'
import type { Task } from '../../../src/domain/task/task.ts'
import type { ScreenPhase } from '../../../src/ports/run/screen.ts'
import { inPhase } from '../../builders/phases.ts'
import { aTask } from '../../builders/task.ts'

const working = aTask(inPhase.working())
const idle = aTask(inPhase.idle())
const after = (looks: readonly (readonly [ScreenPhase, Task])[]) =>
  looks.reduce<ScreenSeen | null>((seen, [phase, task]) => seenAfter(seen, { phase }, task, 7), null)

test('looks on end are counted; having worked stays', () => {
  expect(
    after([
      ['working', working],
      ['idle', working],
      ['idle', working],
    ]),
  ).toEqual({ phase: 'idle', looks: 2, activeAt: 7, worked: true, changed: true, rested: false })
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
  const said = seenWhenSaid({ phase: 'error' }, 7)
  const same = seenAfter(said, { phase: 'error' }, working, 7)
  expect(same).toMatchObject({ looks: 1, changed: false })
  const other = seenAfter(same, { phase: 'limit' }, working, 8)
  expect(other).toMatchObject({ looks: 1, changed: true })
  expect(seenAfter(other, { phase: 'limit' }, working, 8)).toMatchObject({ looks: 2, changed: true })
})
