// A person's keys and ours in the real agents' terminals, for those that hear by keys.
import { expect, test } from 'vitest'
import { held, personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import { kindsThat, worldWith } from './daemon-world.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const kinds = kindsThat(({ can }) => can.terminal?.hears === 'keys')
const PATIENCE_MS = 100_000
const OURS = 'Say DO:text{ours it is} and nothing else, whatever else stands in this long line of words.'
const keys = ['BSpace', 'C-u', 'C-w', 'Left']

const untilIdle = (world: World, id: string) =>
  waitFor(`${id} to be idle`, async () => (await world.status(id)).phase === 'idle', PATIENCE_MS)
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

/** Without those for a title, which have no tools. */
const asked = () => lab.requests().filter(({ tools }) => tools.length > 0)
/** Every prompt the model was given in the conversation. */
const given = () =>
  (asked().at(-1)?.turns ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n')

/** An agent may tell blanks and composed letters in another way than they were typed. */
const comparable = (text: string) => text.normalize().replace(/\s+/g, ' ').trim()

async function atRest(kind: AgentKind) {
  const { world, run } = await worldWith(kind, lab, 'quiet.window: 3s\n')
  const id = await run('DO:text{ready}', undefined, '--mode', 'interactive')
  await untilIdle(world, id)
  const { tmux_session } = await world.status(id)
  const outside = (...typed: string[]) => world.tmux('send-keys', '-t', `=${tmux_session}:`, ...typed)
  return { world, id, outside }
}

async function arrivesOnce(world: World, id: string): Promise<void> {
  await waitFor('our prompt', () => given().includes('ours it is'), PATIENCE_MS).catch(async (error) => {
    throw new Error(`${error.message}\n${await world.ok(['screen', id])}`)
  })
  await untilIdle(world, id)
  expect(given()).toContain(OURS)
  expect(given().split('ours it is')).toHaveLength(2)
  await waitFor('its end', async () => (await world.status(id)).inputs.at(-1)?.done, PATIENCE_MS)
}

test.each(kinds.flatMap((kind) => keys.map((key) => [kind, key] as const)))(
  '%s: while a person holds %s in an attached terminal nothing is typed; then the prompt arrives whole',
  async (kind, key) => {
    const { world, id } = await atRest(kind)
    const before = asked().length
    const person = personAt({ ...world, project: lab.project })
    person.runs('attach', id)
    await waitFor('them to be there', async () => (await world.tmux('list-clients')).includes(id))
    person.types('half a line of mine')
    await waitFor('their words', async () => (await world.ok(['screen', id])).includes('half a line of mine'))
    const holding = person.holds(key)
    await world.ok(['send', id, OURS])
    await pause(2000)
    expect(asked()).toHaveLength(before)
    await holding.letGo()
    person.types('C-e')
    person.types('C-u')
    await arrivesOnce(world, id)
  },
)

test.each(kinds.flatMap((kind) => ['BSpace', 'C-u'].map((key) => [kind, key] as const)))(
  '%s: keys from another program, %s again and again, never maim a prompt',
  async (kind, key) => {
    const { world, id, outside } = await atRest(kind)
    await outside('half a line of mine')
    const holding = held(() => outside(key))
    await world.ok(['send', id, OURS])
    await pause(2000)
    await holding.letGo()
    await arrivesOnce(world, id)
  },
)

test.each(kinds)('%s gets long and odd prompts whole, and at once when nobody types', async (kind) => {
  const { world, id } = await atRest(kind)
  const prompts = [
    `${Array.from({ length: 25 }, (_, at) => `line ${at}`).join('\n')}\nDO:text{many lines}`,
    `${'lorem ipsum dolor '.repeat(300)}DO:text{a long one}`,
    'größe 漢字 😀 👩‍👩‍👧 ✔️ e\u0301\n\ttabbed\u00a0blank DO:text{odd letters}',
    'DO:text{a mention} @README',
  ]
  for (const prompt of prompts) {
    const { said } = await world.json<{ said: boolean }>(['send', id, '--file', '-'], { input: prompt })
    expect(said, prompt.slice(0, 40)).toBe(true)
    const words = /DO:text\{(.*?)\}/.exec(prompt)![1]!
    await waitFor(words, () => given().includes(words), PATIENCE_MS)
    expect(comparable(given())).toContain(comparable(prompt))
    await untilIdle(world, id)
  }
  expect((await world.status(id)).inputs.every(({ done }) => done)).toBe(true)
})
