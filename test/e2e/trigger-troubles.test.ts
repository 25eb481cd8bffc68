// What goes wrong with prompts on their way: each has a clear answer, and nothing is lost or comes twice.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SentJson } from '../../src/protocol/json/input-json.ts'
import type { TriggerDetailJson } from '../../src/protocol/json/trigger-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, startWorld, type World } from '../helpers/world.ts'

const show = (world: World, id: string): Promise<TriggerDetailJson> =>
  world.daemon.call('GET /api/triggers/:id', { id, query: {} })

async function idleAgent(world: World, script = 'do: say ready') {
  const id = await world.run(script, '--mode', 'interactive')
  const task = await waitFor(`${id} to be idle`, async () => {
    const seen = await world.status(id)
    return seen.phase === 'idle' ? seen : undefined
  })
  const press = (...keys: string[]) => world.tmux('send-keys', '-t', `=${task.tmux_session}:`, ...keys)
  return { id, press }
}

test('of two operators who force at once, the first counts; whoever waits for it is told when it is there', async () => {
  const world = await startWorld({ config: 'quiet.window: 10m\n' })
  const { id, press } = await idleAgent(world)
  await press('x')
  await waitFor('the draft', async () => /^> x/m.test(await world.ok(['screen', id])) || undefined)
  const held = await world.json<SentJson>(['send', id, 'do: say hello'])
  const trigger = String(held.trigger_id)
  await waitFor('it to wait', async () => (await show(world, trigger)).state === 'deferred' || undefined)
  // Nothing is left in the box, but somebody typed there a moment ago.
  await press('BSpace')
  const waits = finished(world.start(['trigger', 'show', trigger, '--wait', 'submitted', '--json']))
  const forced = await Promise.all(
    ['ann', 'bob'].map((who) =>
      world.cli(['trigger', 'force', trigger, '--operator', who, '--why', `${who} says so`, '--json']),
    ),
  )
  expect(forced.map(({ code }) => code).sort()).toEqual([0, 1])
  const winners = new Set(forced.map(({ stdout }) => JSON.parse(stdout).forced_by))
  expect(winners.size).toBe(1)
  expect(await waits).toMatchObject({ code: 0 })
  expect(await world.ok(['audit', '--kind', 'trigger_forced'])).toContain('says so')
  const late = await world.cli(['trigger', 'force', trigger, '--operator', 'eve', '--why', 'too late'])
  expect(late).toMatchObject({ code: 1, stdout: expect.stringContaining('not forced by eve') })
}, 120_000)

test('who forces names themselves and a reason, and --timeout needs --wait', async () => {
  const world = await startWorld()
  const force = await world.cli(['trigger', 'force', 'trg_20260217_0001', '--operator', 'ann'])
  expect(force).toMatchObject({ code: 1, stderr: expect.stringContaining('--why') })
  const unknown = ['trigger', 'force', 'trg_20260217_0001', '--operator', 'a', '--why', 'b']
  expect((await world.cli(unknown)).stderr).toContain('TRIGGER_NOT_FOUND')
  const timeout = await world.cli(['trigger', 'show', 'trg_20260217_0001', '--timeout', '5s'])
  expect(timeout).toMatchObject({ code: 1, stderr: expect.stringContaining('--timeout needs --wait') })
}, 60_000)

test('empty, binary and too long texts are refused, each with its own code, before anything is stored', async () => {
  const world = await startWorld({ config: 'trigger.maxBytes: 100\n' })
  const { id } = await idleAgent(world)
  const bad = [
    ['PROMPT_EMPTY', '  \n'],
    ['PROMPT_EMPTY', '\x07\x1b'],
    ['PROMPT_NOT_TEXT', Buffer.from([0x66, 0x00, 0x66])],
    ['PROMPT_NOT_TEXT', Buffer.from([0x66, 0xff, 0xfe])],
    ['PROMPT_TOO_LARGE', 'x'.repeat(101)],
    ['PROMPT_TOO_LARGE', 'é'.repeat(51)],
  ] as const
  for (const [code, text] of bad) {
    writeFileSync(join(world.project, 'text'), text)
    const said = await world.cli(['send', id, '--file', 'text', '--json'])
    expect([JSON.parse(said.stdout).error.code, said.code]).toEqual([code, 1])
  }
  const inHand = await world.cli(['send', id, 'x'.repeat(101), '--json'])
  expect(JSON.parse(inHand.stdout).error.code).toBe('PROMPT_TOO_LARGE')
  const piped = await world.cli(['send', id, '-', '--json'], { input: '  \n' })
  expect(JSON.parse(piped.stdout).error.code).toBe('PROMPT_EMPTY')
  expect((await world.daemon.call('GET /api/triggers', { query: {} })).triggers).toEqual([])
}, 60_000)
