import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import type { Config } from '../../../src/domain/settings/config.ts'
import { openDesk } from '../../../src/supervisor/desk.ts'
import { type CoreInTime, startCoreInTime } from '../../helpers/core-in-time.ts'
import { settled } from '../../helpers/settled.ts'

const MINUTE = 60_000

async function atWork(settings: Partial<Config> = {}) {
  const world = await startCoreInTime(settings)
  const id = await world.creates('do: hang')
  await world.agentStarts(id)
  const runId = world.core.watched.get(id)?.run.id ?? asRunId('none')
  return { ...world, id, runId, file: `${world.home.run(runId)}/token` }
}

const claims = ({ core }: Pick<CoreInTime, 'core'>, file: string) =>
  core.tokens.read(readFileSync(file, 'utf8'))

test('a run has a token file that only we can read, and finds its name in its environment', async () => {
  const { core, id, runId, file, home } = await atWork()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(claims({ core }, file)).toMatchObject({ run: runId, task: id })
  expect(readFileSync(`${home.run(runId)}/env`, 'utf8')).toContain(`HOLDFAST_TOKEN_FILE=${file}\n`)
})

test('the token of a living run is renewed long before it expires, and not at every tick', async () => {
  const { clock, core, file } = await atWork()
  const seen = new Set<number>()
  for (let minute = 0; minute < 60; minute++) {
    await clock.pass(MINUTE)
    await settled()
    const { expires } = claims({ core }, file)
    expect(expires - clock.now()).toBeGreaterThan(6 * MINUTE)
    seen.add(expires)
  }
  expect(seen.size).toBeLessThanOrEqual(10)
})

test('a token that expired while nobody ticked is renewed when its run asks', async () => {
  const { core, runId, file, clock, supervisor } = await atWork({ 'reconcile.interval': 24 * 60 * MINUTE })
  const desk = openDesk(supervisor, new AbortController().signal)
  await clock.pass(60 * MINUTE)
  expect(claims({ core }, file).expires).toBeLessThan(clock.now())
  await desk.runs.renewToken(runId)
  expect(claims({ core }, file).expires).toBeGreaterThan(clock.now())
})

test('what deleted the token file is not undone', async () => {
  const { clock, file } = await atWork()
  rmSync(file)
  await clock.pass(20 * MINUTE)
  await settled()
  expect(existsSync(file)).toBe(false)
})

test('the token of a run that is over is void', async () => {
  const { id, runId, agentExits, clock, supervisor } = await atWork()
  const desk = openDesk(supervisor, new AbortController().signal)
  expect(await desk.runs.open(runId)).toMatchObject({ id: runId })
  await agentExits(id, { code: 3 })
  await clock.passUntil('its end', async () => (await desk.runs.open(runId)) === undefined)
})
