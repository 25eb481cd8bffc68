import { expect, test } from 'vitest'
import type { Task } from '../../src/domain/task.ts'
import type { ScreenPhase } from '../../src/ports/screen.ts'
import { type ScreenSeen, seenAfter } from '../../src/supervisor/screen-seen.ts'

const after = (looks: readonly (readonly [ScreenPhase, Task['phase']])[]) =>
  looks.reduce<ScreenSeen | null>(
    (seen, [phase, task]) => seenAfter(seen, { phase }, { phase: task }, 7),
    null,
  )

test('looks on end are counted; having worked stays', () => {
  expect(
    after([
      ['working', 'working'],
      ['idle', 'working'],
      ['idle', 'working'],
    ]),
  ).toEqual({ phase: 'idle', looks: 2, activeAt: 7, worked: true, rested: false })
})

test('it has rested when it was drawn so while its task is idle, and no longer when a turn began', () => {
  expect(after([['working', 'idle']])).toMatchObject({ rested: false })
  const worksAgain = [
    ['idle', 'idle'],
    ['working', 'idle'],
  ] as const
  expect(after(worksAgain)).toMatchObject({ rested: true })
  expect(after([...worksAgain, ['working', 'working']])).toMatchObject({ rested: false })
})
