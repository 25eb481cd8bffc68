// A person types in an agent's terminal for half a minute while triggers wait: nothing of theirs and ours mixes.
import { expect, test } from 'vitest'
import type { SentJson } from '../../src/protocol/json/input-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const TYPES_MS = 30_000
const WORDS = 'a person takes their time over this line, '
const texts = [1, 2, 3].map((number) => `trigger ${number}\ndo: say heard ${number}\nits last line`)

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
const show = (world: World, id: string) => world.daemon.call('GET /api/triggers/:id', { id, query: {} })

/** Key by key, with a person's pauses; a full line is taken back, and begun again. */
async function typesFor(ms: number, types: (...keys: string[]) => unknown): Promise<void> {
  const until = performance.now() + ms
  for (let typed = 0; performance.now() < until; typed++) {
    const letter = WORDS[typed % WORDS.length]!
    types('-l', letter)
    await pause(letter === ',' ? 700 : 90)
    if (typed % WORDS.length === WORDS.length - 1) types('C-u')
  }
}

test('a person at the keys for half a minute is left alone; then all triggers arrive, once each and in their order', async () => {
  const world = await startWorld({ config: 'quiet.window: 1s\ntrigger.deferRecheck: 500ms\n' })
  const id = await world.run('do: say ready', '--mode', 'interactive')
  await waitFor('it to be idle', async () => (await world.status(id)).phase === 'idle')
  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'release'])
  const person = personAt(world)
  person.runs('attach', id)
  await person.shows('enter sends')

  const typing = typesFor(TYPES_MS, person.types)
  await person.shows('a person')
  const sent: string[] = []
  for (const text of texts) {
    const { trigger_id } = await world.json<SentJson & { trigger_id: string }>(
      ['send', id, '-', '--thread', thread],
      { input: text },
    )
    sent.push(trigger_id)
  }
  await typing
  expect(world.heard()).toHaveLength(1)
  const first = await show(world, sent[0]!)
  expect(first).toMatchObject({ state: 'deferred', code: 'OPERATOR_BUSY' })
  expect(first.steps.map(({ state }) => state)).not.toContain('typed')
  expect(await world.ok(['screen', id])).not.toContain('trigger 1')

  // What they leave in the box is still theirs: they end their line themselves.
  person.types('C-u')
  person.types('-l', 'do: say mine')
  person.types('Enter')
  for (const one of sent)
    await waitFor(`${one} to be done`, async () => (await show(world, one)).state === 'done', 30_000)
  const heard = world.heard().map((told) => told.heard)
  expect(heard.slice(1)).toEqual([
    'do: say mine',
    ...texts.map(
      (text, at) => `[BRIDGE_TRIGGER id=${sent[at]} thread=${thread}]\n${text}\n[/BRIDGE_TRIGGER]`,
    ),
  ])
}, 90_000)
