// One bad task harms only itself: the daemon as a person meets it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GateJson, OpenQuestionJson, ParksJson, WhyJson } from '../../src/protocol/json/recovery-json.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { recovering, untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const steps = (...lines: string[]) => lines.map((line) => `do: ${line}`).join('\n')
const parks = (world: World) => world.json<ParksJson>(['parks'])
const eventsOf = async (world: World, id: string) =>
  (await world.json<WhyJson>(['why', id])).story.map(({ event }) => event)

test('a crash loop that a person retries again and again holds up nobody else', async () => {
  const world = await recovering()
  const bad = await world.run(steps('fail-until never crash boom'))
  for (let n = 0; n < 3; n++) {
    await untilPhase(world, bad, 'stuck')
    await world.ok(['retry', bad])
  }
  const others = [await world.run(steps('finish one')), await world.run(steps('finish two'))]
  for (const id of others) await world.untilStatus(id, 'COMPLETED')
  await untilPhase(world, bad, 'stuck')
  expect(await eventsOf(world, bad)).not.toContain('parked')
  const { questions } = await world.json<{ questions: OpenQuestionJson[] }>(['questions'])
  expect(questions).toMatchObject([{ session_id: bad, options: ['resume', 'retry', 'close'] }])
})

test('a network that fails one task only holds up nobody else', async () => {
  const world = await startWorld({ retries: 10, config: 'backoff.base: 10m\nwake.stagger: 50ms\n' })
  const bad = await world.run(steps('fail-until never environment network is down'))
  await untilPhase(world, bad, 'parked')
  const others = [await world.run(steps('finish one')), await world.run(steps('finish two'))]
  for (const id of others) await world.untilStatus(id, 'COMPLETED')
  await untilPhase(world, bad, 'parked')
  await world.untilStatus(await world.run(steps('finish three')), 'COMPLETED')
})

test('tasks that fail alike are parked; a healthy one gets through, and all go on when the trouble is over', async () => {
  const world = await recovering()
  const bad: string[] = []
  for (let n = 0; n < 3; n++) bad.push(await world.run(steps('fail-until up transient overloaded')))
  await waitFor('the breaker', async () =>
    (await Promise.all(bad.map((id) => eventsOf(world, id)))).flat().includes('parked'),
  )
  const late = await world.run(steps('finish late'))
  await world.untilStatus(late, 'COMPLETED')
  writeFileSync(join(world.project, 'up'), '')
  for (const id of bad)
    await waitFor(
      `${id} to complete`,
      async () => {
        const { phase, status } = await world.status(id)
        // One that failed twice as the one that tries first asks a person.
        if (phase === 'asking') await world.ok(['answer', id, 'resume'])
        return status === 'COMPLETED'
      },
      20_000,
    )
})

test('when all tasks of an account fail, a person is asked about each, and nothing is held back then', async () => {
  const world = await recovering()
  const bad: string[] = []
  for (let n = 0; n < 3; n++) bad.push(await world.run(steps('fail-until up transient overloaded')))
  for (const id of bad) await untilPhase(world, id, 'asking')
  expect(await world.ok(['questions'])).toContain(
    'The sessions of this account wait, because several failed in the same way',
  )
  await waitFor('the gate to go', async () => (await parks(world)).gates.length === 0 || undefined)
  writeFileSync(join(world.project, 'up'), '')
  for (const id of bad) await world.ok(['answer', id, 'resume'])
  for (const id of bad) await world.untilStatus(id, 'COMPLETED')
}, 120_000)

test('a task that cannot be launched keeps nobody behind it waiting, and fails when others could be', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\n' })
  const first = await world.run(steps('wait-for go'))
  const bad = await world.run(steps('finish bad'))
  const others = [await world.run(steps('finish two')), await world.run(steps('finish three'))]
  const env = join(world.home, 'tasks', bad, 'env')
  rmSync(env)
  mkdirSync(env)
  writeFileSync(join(world.project, 'go'), '')
  for (const id of [first, ...others]) await world.untilStatus(id, 'COMPLETED')
  const failed = await waitFor('it to fail', async () => {
    await world.untilStatus(await world.run(steps('finish one more')), 'COMPLETED')
    const task = await world.status(bad)
    return task.status === 'FAILED' ? task : undefined
  })
  expect(failed.reason).toMatch(/^It could not be started: EISDIR/)
})

test('list, status, why, parks and monitor say of a task that it waits behind a gate, and until when', async () => {
  const world = await startWorld({ retries: 5 })
  const first = await world.run(steps('limit-until over 7200', 'finish whole'))
  await untilPhase(world, first, 'parked')
  const second = await world.run(steps('finish me too'))
  const [{ until }] = (await parks(world)).gates as [GateJson]
  const local = new Date(until).toTimeString().slice(0, 5)
  const list = await world.ok(['list'])
  expect(list).toMatch(new RegExp(`${first} .*RUNNING limit until (\\d\\d-\\d\\d )?${local}`))
  expect(list).toMatch(new RegExp(`${second} .*CREATED limit until (\\d\\d-\\d\\d )?${local}`))
  const { tasks } = await world.json<TaskListJson>(['list'])
  const waits = { waits_for: 'limit', waits_until: until }
  expect(tasks).toMatchObject([waits, waits])
  expect(await world.ok(['parks'])).toContain(`    ${second}\n`)
  for (const id of [first, second]) {
    expect(await world.status(id)).toMatchObject({
      next: { kind: 'behind_gate', at: until },
      ...waits,
    })
    expect(await world.ok(['status', id])).toContain(`limit until`)
    const why = /\n {2}Next: +in 1h 59m \(.*\): .* its usage limit should be over then/
    expect(await world.ok(['why', id])).toMatch(why)
    const monitor = await world.cli(['monitor', id, '--json', '--max-polls', '1'])
    expect(JSON.parse(monitor.stdout).next).toMatchObject({ kind: 'behind_gate', at: until })
  }
})

test('a limit goes with the last of the tasks that wait for it', async () => {
  const world = await startWorld({ retries: 5 })
  const first = await world.run(steps('limit-until over 7200', 'finish whole'))
  await untilPhase(world, first, 'parked')
  const second = await world.run(steps('finish me too'))
  expect((await parks(world)).gates).toMatchObject([{ waiting: [first, second] }])
  await world.ok(['kill', second, '--force'])
  expect((await parks(world)).gates).toMatchObject([{ waiting: [first] }])
  await world.ok(['kill', first, '--force'])
  expect(await world.ok(['parks'])).toBe('Nothing is parked\n')
  const third = await world.run(steps('finish three'))
  await world.untilStatus(third, 'COMPLETED', 5_000)
})
