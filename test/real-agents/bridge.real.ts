// The tools of Holdfast in the hands of the real agents: given by their own flags, beside what the user has.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditPageJson } from '../../src/protocol/json/daemon-json.ts'
import type { ThreadJson, UnreadJson } from '../../src/protocol/json/thread-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { kindsThat, worldWith } from './daemon-world.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const kinds = kindsThat(({ can }) => can.mcp)

/** All that the model was told, tool results among it. */
const told = () => JSON.stringify(lab.requests()).replaceAll('\\', '')

test.each(kinds)('%s calls the tools of Holdfast without asking anybody, and is answered', async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  // The write comes first, because Codex may ask its model before it has started the tools.
  const id = await run('DO:write{made.txt} DO:mcp{heartbeat_session} DO:mcp{get_task|{"task":"last"}}')
  const task = await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(told()).toContain(`"session_id":"${id}","status":"active"`)
  expect(told()).toContain(`"session_id":"${id}","name":null`)
  expect(task.bridge).toBe('up')
  expect((await world.json<{ bridge: string }>(['why', id])).bridge).toBe('up')
})

test.each(kinds)('%s is told in words that its token is not valid, and the audit has it', async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  const spoil = 'DO:shell{printf broken > "$HOLDFAST_TOKEN_FILE"}'
  const id = await run(`${spoil} DO:mcp{heartbeat_session}`, 'full')
  await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(told()).toContain('TOKEN_INVALID: The token was not signed by this home.')
  expect(told()).toContain('HOLDFAST_TOKEN_FILE names')
  const { entries } = await world.json<AuditPageJson>(['audit', '--kind', 'token_refused'])
  expect(entries).toMatchObject([{ detail: expect.stringContaining('TOKEN_INVALID') }])
})

test.each(kinds)('%s has no tools of Holdfast where the setting says so', async (kind) => {
  const { world, run } = await worldWith(kind, lab, 'bridge.mcp: false\n')
  const id = await run('DO:write{made.txt} DO:mcp{heartbeat_session}')
  const task = await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(task.bridge).toBeNull()
  expect(await world.ok(['logs', id])).toContain('NO TOOL for heartbeat_session')
})

/** The user's own server, `lab_ping`, where each agent looks for it. */
const ownServer: Readonly<Record<string, () => void>> = {
  claude: () => {
    mkdirSync(join(lab.home, '.claude'), { recursive: true })
    put(join(lab.home, '.claude/settings.json'), { permissions: { allow: ['Read'] } })
    put(join(lab.project, '.mcp.json'), { mcpServers: { own: lab.mcpServer } })
  },
  codex: () => {
    const { command, args } = lab.mcpServer
    const table = `[mcp_servers.own]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
    appendFileSync(join(lab.home, '.codex/config.toml'), `\n${table}`)
  },
  opencode: () => {
    const file = join(lab.home, '.config/opencode/opencode.json')
    const { command, args } = lab.mcpServer
    const mcp = { own: { type: 'local', command: [command, ...args], enabled: true } }
    // OpenCode itself writes the first line where it is missing.
    put(file, { $schema: 'https://opencode.ai/config.json', ...JSON.parse(readFileSync(file, 'utf8')), mcp })
  },
}
const put = (file: string, content: object) => writeFileSync(file, JSON.stringify(content))

/** Claude Code keeps count of its starts in `.claude.json`: only what it says of tools is looked at. */
function settingsNow() {
  const { mcpServers = null, projects } = JSON.parse(readFileSync(join(lab.home, '.claude.json'), 'utf8'))
  const { allowedTools = [], mcpServers: ofProject = {} } = projects[lab.project]
  const files = ['.claude/settings.json', '.codex/config.toml', '.config/opencode/opencode.json']
  const paths = [...files.map((file) => join(lab.home, file)), join(lab.project, '.mcp.json')]
  const bytes = paths.map((path) => [path, existsSync(path) && readFileSync(path, 'latin1')])
  return { mcpServers, allowedTools, ofProject, bytes }
}

test.each(kinds)(
  "%s keeps the user's own MCP servers beside ours, and the user's settings as they are",
  async (kind) => {
    const { world, run } = await worldWith(kind, lab)
    ownServer[kind]?.()
    const before = settingsNow()
    const id = await run('DO:write{made.txt} DO:mcp{lab_ping} DO:mcp{heartbeat_session}', 'full')
    await world.untilStatus(id, 'COMPLETED', 100_000)
    expect(told()).toContain('pong from the lab')
    expect(told()).toContain(`"session_id":"${id}","status":"active"`)
    expect(settingsNow()).toEqual(before)
  },
)

/** OpenCode does not ask for a tool of an MCP server, whosever it is: only its own rules make it. */
const asking = kinds.filter((kind) => kind !== 'opencode')

test.each(asking)('%s asks before it calls a tool of another MCP server, and not for ours', async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  ownServer[kind]?.()
  const id = await run('DO:mcp{heartbeat_session} DO:mcp{lab_ping}', 'default', '--converse')
  const { questions } = await world.untilStatus(id, 'waiting_input', 100_000)
  expect(told()).toContain(`"session_id":"${id}","status":"active"`)
  expect(questions).toMatchObject([{ question: expect.stringContaining('lab_ping') }])
  expect(told()).not.toContain('pong from the lab')
  await world.ok(['answer', id, '1'])
  await waitFor('the pong', () => told().includes('pong from the lab'), 100_000)
})

/** They break; the user has switched them off; the user's own settings cannot be joined with them. */
const keptAway: Readonly<Record<string, () => readonly string[]>> = {
  claude: () => ['--env', 'NODE_OPTIONS=--require=/nowhere.cjs'],
  codex: () => {
    appendFileSync(join(lab.home, '.codex/config.toml'), '\n[mcp_servers.holdfast]\nenabled = false\n')
    return []
  },
  opencode: () => ['--env', 'OPENCODE_CONFIG_CONTENT={"autoupdate":false /* my own */}'],
}

test.each(kinds)('%s works without tools that do not arrive, and that is said', async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  const away = keptAway[kind]?.() ?? []
  const id = await run('DO:write{made.txt} DO:mcp{heartbeat_session}', 'full', ...away)
  const task = await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(await world.ok(['logs', id])).toContain('NO TOOL for heartbeat_session')
  expect(task.bridge).toBe('absent')
  expect(await world.ok(['why', id])).toContain(
    'the agent works without the tools of Holdfast that it was given',
  )
})

test('pi calls the tools by `holdfast bridge` in its shell, as the run that it is', async () => {
  const { world, run } = await worldWith('pi', lab)
  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'release'])
  const id = await run(`DO:shell{holdfast bridge post_message thread=${thread} text=found kind=finding}`)
  await world.untilStatus(id, 'COMPLETED', 100_000)
  const { messages } = await world.json<UnreadJson>(['thread', 'read', thread])
  expect(messages).toMatchObject([{ author: `task:${id}`, kind: 'finding', text: 'found' }])
})
