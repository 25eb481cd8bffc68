import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { askWeb, makeToken, openWeb } from '../helpers/web.ts'
import { startWorld, type World } from '../helpers/world.ts'

const promtool = (args: string[], input = '') => execFileSync('promtool', args, { input, encoding: 'utf8' })

/** Of the run at work. */
const agentPid = async (world: World, id: string) =>
  Number(
    readFileSync(join(world.home, 'runs', (await world.status(id)).run_id!, 'pid'), 'utf8').split(' ')[0],
  )

/** From the end of one run, by its exit record, to the process of another. */
const secondsBetween = (world: World, ended: string, began: string) => {
  const { at } = JSON.parse(readFileSync(join(world.home, 'exits', `${ended}.json`), 'utf8'))
  return (statSync(join(world.home, 'runs', began, 'pid')).mtimeMs - at) / 1000
}

test('promtool accepts the alert rules, and each fires when it should and not before', () => {
  expect(promtool(['check', 'rules', 'ops/prometheus/alerts.yml'])).toContain('SUCCESS')
  expect(promtool(['test', 'rules', 'ops/prometheus/alerts.test.yml'])).toContain('SUCCESS')
})

test('a death, a question and a restart of the daemon are in the metrics, which promtool accepts', async () => {
  const world = await startWorld({ retries: 3 })
  const id = await world.run('do: tool 1 wait\ndo: finish done', '--name', 'dies')
  const short = await world.run('do: finish at once')
  await waitFor('its agent', async () => (await world.status(id)).phase === 'working')
  const died = (await world.status(id)).run_id!
  process.kill(await agentPid(world, id), 'SIGKILL')
  await waitFor('its end', async () => (await world.status(id)).completed_at !== null)
  await waitFor('the end of the short one', async () => (await world.status(short)).completed_at !== null)
  const asks = await world.run('do: ask Which? | red | blue', '--converse')
  await waitFor('its question', async () => (await world.status(asks)).phase === 'asking')
  const text = await world.ok(['metrics'])
  promtool(['check', 'metrics'], text)
  expect(text).toMatch(/^holdfast_detect_seconds_count [23]$/m)
  expect(text).toMatch(/^holdfast_resume_seconds_count\{waited="nothing"\} 1$/m)
  const resumed = Number(/^holdfast_resume_seconds_sum\{waited="nothing"\} (.*)$/m.exec(text)?.[1])
  expect(Math.abs(resumed - secondsBetween(world, died, (await world.status(id)).run_id!))).toBeLessThan(0.05)
  expect(text).toMatch(/^holdfast_runs_started_total 4$/m)
  expect(text).toMatch(/^holdfast_runs_ended_total\{ending="signal",failure="\w+"\} 1$/m)
  expect(text).toContain('holdfast_questions_open 1')
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m)

  await world.killDaemon()
  await world.ok(['list'])
  type Sample = { name: string; labels: Record<string, string>; value: number | null }
  const { metrics } = await world.json<{ metrics: Sample[] }>(['metrics'])
  const value = (name: string, labels = {}) =>
    metrics.find((one) => one.name === name && JSON.stringify(one.labels) === JSON.stringify(labels))?.value
  expect(value('holdfast_tasks_ended_total', { status: 'completed' })).toBe(0)
  expect(value('holdfast_tasks', { status: 'completed' })).toBe(2)
  expect(value('holdfast_tasks_in_phase', { phase: 'asking' })).toBe(1)
})

test('the metrics are scraped over TCP with a token, as scrape.yml does, and not without or after it is revoked', async () => {
  const world = await startWorld()
  const { port } = await openWeb(world)
  const authorization = `Bearer ${await makeToken(world, 'prometheus')}`
  const scrape = (headers: Record<string, string>) => askWeb(port, '/metrics', { headers })
  const scraped = await scrape({ authorization })
  expect(scraped.status).toBe(200)
  expect(scraped.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  promtool(['check', 'metrics'], scraped.body)
  expect(scraped.body).toContain('holdfast_store_up 1')
  expect((await scrape({})).status).toBe(401)
  await world.ok(['web', 'revoke', 'prometheus'])
  expect((await scrape({ authorization })).status).toBe(401)
})

test('`metrics` starts no daemon', async () => {
  const world = await startWorld()
  const said = await world.cli(['metrics'])
  expect(said.code).toBe(2)
  expect(said.stderr).toContain('DAEMON_UNREACHABLE')
  expect(existsSync(join(world.home, 'daemon.lock.db'))).toBe(false)
})
