// Real agents talk with each other and start others by the tools of Holdfast, and are woken. What the model was given is
// the judge, and the thread.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskJson } from '../../src/protocol/json/task-json.ts'
import type { MessageJson, ThreadDetailJson, ThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerListJson } from '../../src/protocol/json/trigger-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import type { Turn } from './conversation.ts'
import { worldOf } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { PATIENCE_MS, until, untilPhase } from './recovery-world.ts'

const lab = useLab()
const QUIET_MS = 3000
const CONFIG = `recursion.depth: 1\nwake.quiet: ${QUIET_MS}ms\nquiet.window: 0s\n`
type Runs = Awaited<ReturnType<typeof worldOf>>

/** In its terminal, at rest, with its tools: agents ask their model before they have started those. */
async function atRest(kind: AgentKind, { world, runOf }: Runs): Promise<string> {
  const id = await runOf(kind, 'DO:text{ready}', '--permissions', 'default', '--mode', 'interactive')
  await until(world, id, 'its tools', ({ phase, bridge }) => phase === 'idle' && bridge === 'up')
  return id
}

const call = (tool: string, input: object) => `DO:mcp{${tool}|${JSON.stringify(input)}}`
const woken = (...calls: string[]) => `DO:woken{${calls.join(' ')}}`

/** The longest that one agent's model was shown; helpers of the agents' own have no tools. */
const conversation = (path: string) =>
  lab
    .requests()
    .filter((request) => request.path === path && request.tools.length > 0)
    .reduce<readonly Turn[]>((most, { turns }) => (turns.length > most.length ? turns : most), [])
const saidTo = (path: string, words: string) =>
  conversation(path).filter(({ role, text }) => role === 'user' && text.includes(words))
const CLAUDE = '/v1/messages'
const CODEX = '/v1/responses'

/** It was told these words by a tool, before it called the tool with those. */
function expectHeardBefore(path: string, heard: string, said: string): void {
  const turns = conversation(path)
  const told = turns.findIndex(({ role, text }) => role === 'tool' && text.includes(heard))
  const called = turns.findIndex(({ role, text }) => role === 'call' && text.includes(said))
  expect(told, heard).toBeGreaterThanOrEqual(0)
  expect(called, said).toBeGreaterThan(told)
}

test('claude and codex talk in a thread, woken by what the other posted, until there is a result', async () => {
  const runs = await worldOf(['claude', 'codex'], lab, CONFIG)
  const { world } = runs
  const [claude, codex] = await Promise.all([atRest('claude', runs), atRest('codex', runs)])
  const [byClaude, byCodex] = [`task:${claude}`, `task:${codex}`]
  const members = ['--member', byClaude, '--member', byCodex]
  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'the sum', ...members])
  const post = (text: string, kind = 'message') => call('post_message', { thread, text, kind })
  const read = (more: object = {}) => call('read_messages', { thread, ...more })
  const plans = {
    [codex]: [
      'DO:text{I listen.}',
      woken(read(), post('It seems to be 41.', 'finding'), read({ up_to: 1 })),
      woken(read(), post('No: it is 42.', 'result'), read({ up_to: 3 })),
    ],
    [claude]: [
      post('What is 19 plus 23?'),
      woken(read(), post('Are you sure of 41?'), read({ up_to: 2 })),
      woken(read(), read({ up_to: 4 })),
    ],
  }
  for (const [id, plan] of Object.entries(plans)) await world.ok(['send', id, plan.join(' ')])
  const triggers = async () =>
    (await world.json<TriggerListJson>(['trigger', 'list', '--thread', thread])).triggers
  await waitFor(
    'the last turn of both',
    async () => {
      const all = await triggers()
      return all.length === 4 && all.every(({ state }) => state === 'done')
    },
    PATIENCE_MS,
  ).catch(async (error) => {
    const pages = [
      ['thread', 'show', thread],
      ['trigger', 'list'],
      ['screen', claude],
      ['screen', codex],
    ]
    const told = await Promise.all(pages.map((page) => world.ok(page).catch(String)))
    throw new Error([error.message, ...told].join('\n'))
  })

  type Shown = ThreadDetailJson & { last_messages: MessageJson[] }
  const shown = await world.json<Shown>(['thread', 'show', thread])
  expect(shown.last_messages.map(({ author, kind, text }) => [author, kind, text])).toEqual([
    [byClaude, 'message', 'What is 19 plus 23?'],
    [byCodex, 'finding', 'It seems to be 41.'],
    [byClaude, 'message', 'Are you sure of 41?'],
    [byCodex, 'result', 'No: it is 42.'],
  ])
  expect(shown).toMatchObject({ state: 'open' })
  expect(shown.members).toEqual(
    expect.arrayContaining([
      { name: byClaude, read: 4, not_woken: null },
      { name: byCodex, read: 3, not_woken: null },
    ]),
  )
  expect((await triggers()).map(({ session_id, reason, by }) => [session_id, reason, by]).reverse()).toEqual([
    [codex, 'new_unread_messages', byClaude],
    [claude, 'new_unread_messages', byCodex],
    [codex, 'new_unread_messages', byClaude],
    [claude, 'new_unread_messages', byCodex],
  ])

  expect(saidTo(CLAUDE, `Read unread messages for thread ${thread}`)).toHaveLength(2)
  expect(saidTo(CODEX, `Read unread messages for thread ${thread}`)).toHaveLength(2)
  expectHeardBefore(CODEX, 'What is 19 plus 23?', 'It seems to be 41.')
  expectHeardBefore(CLAUDE, 'It seems to be 41.', 'Are you sure of 41?')
  expectHeardBefore(CODEX, 'Are you sure of 41?', 'No: it is 42.')
  expectHeardBefore(CLAUDE, 'No: it is 42.', '"up_to":4')
})

const childrenOf = async (world: World, parent: string) => {
  const { tasks } = await world.json<{ tasks: TaskJson[] }>(['list', '--all'])
  return tasks.filter(({ parent_session }) => parent_session === parent)
}

test('claude starts two sessions, ends its turn, and is woken once with how both ended', async () => {
  const runs = await worldOf(['claude'], lab, CONFIG)
  const { world } = runs
  const start = (name: string) =>
    call('create_task', { name, agent: 'scripted', prompt: `do: wait-for go\ndo: finish ${name} is done` })
  const look = (name: string) => call('get_task', { task: name })
  const prompt = [start('one'), start('two'), 'DO:text{started}', woken(look('one'), look('two'))].join(' ')
  const parent = await atRest('claude', runs)
  await world.ok(['send', parent, prompt])
  const children = await waitFor(
    'both children to work',
    async () => {
      const all = await childrenOf(world, parent)
      return all.length === 2 && all.every(({ phase }) => phase === 'working') ? all : undefined
    },
    PATIENCE_MS,
  ).catch((error) => {
    throw new Error(`${error.message}\n${JSON.stringify(conversation(CLAUDE).slice(1), null, 1)}`)
  })
  await untilPhase(world, parent, 'idle')
  expect(saidTo(CLAUDE, 'There is news of')).toEqual([])
  writeFileSync(join(lab.project, 'go'), '')
  const triggers = async () =>
    (await world.json<TriggerListJson>(['trigger', 'list', '--to', parent])).triggers
  await waitFor(
    'the turn it was woken for',
    async () => (await triggers()).some(({ reason, state }) => reason === 'children' && state === 'done'),
    PATIENCE_MS,
  )
  // A second one would come within the window.
  await new Promise((resume) => setTimeout(resume, QUIET_MS + 500))
  expect((await triggers()).map(({ reason }) => reason)).toEqual(['children', null])
  const news = saidTo(CLAUDE, 'There is news of')
  expect(news).toHaveLength(1)
  expect(news[0]!.text).toContain('There is news of 2 sessions you started:')
  const afterwards = conversation(CLAUDE).slice(conversation(CLAUDE).indexOf(news[0]!))
  const results = afterwards.filter(({ role }) => role === 'tool').map(({ text }) => text)
  for (const { session_id, name } of children) {
    expect(news[0]!.text).toContain(`- ${session_id}: completed`)
    expect(results.filter((text) => text.includes(session_id))).toEqual([
      expect.stringContaining(`${name} is done`),
    ])
  }
})
