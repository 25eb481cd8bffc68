// One bad task harms only itself, whatever it dies of and however often a person retries it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Life, livesInTime } from '../helpers/lives-in-time.ts'

const MINUTE = 60_000
const healthy = fc.record({ ms: fc.integer({ min: 100, max: 20_000 }), dies: fc.constant(null) })
/** What one task can die of by itself, and what it says of a trouble that others would share. */
const OWN = ['signal', 'crash', 'transient', 'permanent'] as const
const SHARED = ['environment', 'limit'] as const
const badOf = (causes: readonly NonNullable<Life['dies']>[]) =>
  fc.record({ ms: fc.integer({ min: 1, max: 5_000 }), dies: fc.constantFrom(...causes) })

type World = Awaited<ReturnType<typeof livesInTime>>
const gatesClosed = async ({ core: { store } }: World) =>
  (await store.events(0, 10_000)).filter(({ kind }) => kind === 'gate_closed').length

/** A person who retries whatever asks, so many times. */
function retrying(world: World, n: number, times: number): () => Promise<void> {
  let left = times
  return async () => {
    if (left === 0 || (await world.task(n)).status !== 'waiting_input') return
    left--
    await world.retry(n)
  }
}

const areCompleted = async (world: World, which: readonly number[]) =>
  (await Promise.all(which.map(world.task))).every(({ status }) => status === 'completed')

/** Had each run alone, with a minute to spare. */
const longest = (others: readonly Life[], dying: Life) =>
  others.reduce((sum, { ms }) => sum + ms + dying.ms, 0) * 2 + MINUTE

test.each([
  ['by itself: no gate closes', OWN],
  ['of what others would share: it tries in vain, and the next one gets through', SHARED],
] as const)(
  'of any tasks of which one always dies %s, the others finish',
  async (_, causes) => {
    await fc.assert(
      fc.asyncProperty(
        badOf(causes),
        fc.array(healthy, { minLength: 1, maxLength: 4 }),
        fc.nat(4),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(5),
        async (dying, others, place, slots, retries) => {
          const at = Math.min(place, others.length)
          const world = await livesInTime([...others.slice(0, at), dying, ...others.slice(at)], slots)
          const rest = [...others.keys()].map((n) => (n < at ? n : n + 1))
          const retryIt = retrying(world, at, retries)
          const done = await world.until(async () => {
            await retryIt()
            return areCompleted(world, rest)
          }, 10 * MINUTE)
          expect(done, world.timeline.join('\n')).toBe(true)
          if (causes === OWN) expect(await gatesClosed(world)).toBe(0)
          if (dying.dies !== 'limit') expect(world.elapsedMs()).toBeLessThan(longest(others, dying))
        },
      ),
      { numRuns: 20 },
    )
  },
  120_000,
)

test('of any tasks, however many of them always fail alike, the others finish, and each of the rest waits for a person or has failed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 2, maxLength: 7 }),
      fc.constantFrom('crash', 'transient'),
      fc.integer({ min: 1, max: 3 }),
      async (areBad, dies, slots) => {
        const lives = areBad.map((isBad) => (isBad ? { ms: 10, dies } : { ms: 500, dies: null }) as Life)
        const world = await livesInTime(lives, slots)
        const isOver = async () => {
          const tasks = await Promise.all(lives.map((_, n) => world.task(n)))
          return tasks.every(({ status }, n) =>
            areBad[n] ? ['waiting_input', 'failed'].includes(status) : status === 'completed',
          )
        }
        expect(await world.until(isOver, 300 * MINUTE), world.timeline.join('\n')).toBe(true)
        await world.until(async () => false, world.elapsedMs() + MINUTE)
        expect(await world.core.store.gates()).toEqual([])
      },
    ),
    { numRuns: 12 },
  )
}, 120_000)

test('a crash loop that a person retries again and again is never the account’s', async () => {
  const world = await livesInTime([{ ms: 10, dies: 'crash' }], 2)
  const retryIt = retrying(world, 0, 4)
  await world.until(async () => {
    await retryIt()
    return false
  }, 5 * MINUTE)
  expect(await gatesClosed(world)).toBe(0)
  expect(await world.task(0)).toMatchObject({ status: 'waiting_input', phase: 'stuck' })
  expect((await world.core.store.openQuestions((await world.task(0)).id))[0]).toMatchObject({
    options: ['resume', 'retry', 'close'],
  })
})

test('three tasks that fail alike hold their account; each tries in turn, and after two failures asks a person', async () => {
  const bad: Life = { ms: 10, dies: 'transient' }
  const world = await livesInTime([bad, bad, bad], 3)
  const { store } = world.core
  expect(await world.until(async () => (await store.gates()).length === 1, MINUTE)).toBe(true)
  expect((await store.gates())[0]).toMatchObject({
    kind: 'breaker',
    reason: expect.stringContaining('3 tasks of this account'),
  })
  const asking = async () =>
    (await Promise.all([0, 1, 2].map(world.task))).every(({ phase }) => phase === 'asking')
  expect(await world.until(asking, 60 * MINUTE), world.timeline.join('\n')).toBe(true)
  const [question] = await store.openQuestions((await world.task(1)).id)
  expect(question!.text).toContain('This one was started to see whether that is over, and failed 2 times')
  const tries = world.timeline
    .filter((line) => line.endsWith('breaker, park'))
    .map((line) => line.split(' ')[1])
  expect(new Set(tries.slice(-3)).size, world.timeline.join('\n')).toBe(3)
})

test('an outage that passes is no question to anybody: all go on by themselves', async () => {
  const life: Life = { ms: 1000, dies: 'transient', untilMs: 20_000 }
  const world = await livesInTime([life, life, life, life], 4)
  const done = await world.until(() => areCompleted(world, [0, 1, 2, 3]), 10 * MINUTE)
  expect(done, world.timeline.join('\n')).toBe(true)
  expect(await gatesClosed(world)).toBeGreaterThan(0)
  const kinds = (await world.core.store.events(0, 10_000)).map(({ kind }) => kind)
  expect(kinds).not.toContain('task_question_asked')
  expect(kinds).not.toContain('task_escalated')
})
