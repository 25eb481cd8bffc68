// The daemon is killed just before each of its writes: files, commits, words to tmux and clients, signals. All of them
// with `npm run test:boundaries`; one in 25 otherwise.
import { expect, test } from 'vitest'
import { liveWithKill } from '../helpers/boundary-life.ts'

const EVERY = process.env.BOUNDARIES === 'all' ? 1 : 25
const AT_ONCE = 3

test('whatever write the daemon is killed at, the task goes on and is done once', async () => {
  const { writes } = await liveWithKill(0)
  const numbers = writes.map((_, index) => index + 1).filter((number) => number % EVERY === 0)
  console.log(`${writes.length} writes in the life of a task, killed at ${numbers.length} of them`)
  const troubles: string[] = []
  let killed = 0
  const next = numbers[Symbol.iterator]()
  const worker = async () => {
    for (const number of next)
      await liveWithKill(number).then(
        (lived) => (killed += Number(lived.killed)),
        (error) => troubles.push(String(error)),
      )
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  expect(troubles).toEqual([])
  // Lives differ by what the clock and the disk bring, so that the last writes may not be reached.
  expect(killed).toBeGreaterThan(numbers.length * 0.7)
}, 3_600_000)
