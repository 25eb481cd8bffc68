// The daemon is killed just before each of its writes: files, commits, words to tmux and clients, signals. All of them
// with `npm run test:boundaries`; one in 25 or 50 otherwise, or one in as many as BOUNDARIES says.
import { expect, test } from 'vitest'
import { type BoundaryLife, liveWithKill } from '../helpers/boundary-life.ts'
import { LifeByKeys, LifeByLines } from '../helpers/boundary-lives.ts'
import { LifeToldByWebhook } from '../helpers/boundary-told.ts'

const ALL = process.env.BOUNDARIES === 'all'
const ONE_IN = ALL ? 1 : Number(process.env.BOUNDARIES ?? 0)
const AT_ONCE = 3
const TRIES = 5
/** So many writes before the end of one life are before the end of the next, too. */
const SURELY_REACHED = 20
/** Its result is written down: what is told of it comes after that. */
const TASK_ENDS = /result\.json/

test.each([
  ['lines', 25, () => new LifeByLines()],
  ['keys', 50, () => new LifeByKeys()],
] as const)(
  'whatever write the daemon is killed at, a task that hears by %s goes on and is done once',
  (by, oneIn, life) => killedEverywhere(`the life of a task that hears by ${by}`, oneIn, life),
  3_600_000,
)

test(
  'whatever write the daemon is killed at, what a task has done is told, and never again once it was taken and that was stored',
  () => killedEverywhere('the life of a notice', 30, () => new LifeToldByWebhook(ALL ? 1 : 0), TASK_ENDS),
  3_600_000,
)

/** `since`: the first write that counts; those before it are others' to try. */
async function killedEverywhere(
  what: string,
  oneIn: number,
  life: () => BoundaryLife,
  since = /./,
): Promise<void> {
  const { writes } = await liveWithKill(life(), 0)
  const first = writes.findIndex((write) => since.test(write))
  const numbers = writes
    .map((_, index) => index + 1)
    .filter((number) => number > first && number % (ONE_IN || oneIn) === 0)
  console.log(`${writes.length} writes in ${what}, killed at ${numbers.length} of them`)
  const troubles: string[] = []
  let killed = 0
  const next = numbers[Symbol.iterator]()
  const worker = async () => {
    for (const number of next)
      await killedNear(number, life).then(
        () => killed++,
        (error) => troubles.push(String(error)),
      )
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  expect(troubles).toEqual([])
  expect(killed).toBe(numbers.length)
}

/** Lives differ by what the clock and the disk bring: one that was over before is lived again, with a kill near its end. */
async function killedNear(number: number, life: () => BoundaryLife): Promise<void> {
  let at = number
  for (let tries = 0; tries < TRIES; tries++) {
    const lived = await liveWithKill(life(), at)
    if (lived.killed) return
    at = Math.max(1, lived.writes.length - SURELY_REACHED)
  }
  throw new Error(`no life had ${number} writes, nor was one killed near its end`)
}
