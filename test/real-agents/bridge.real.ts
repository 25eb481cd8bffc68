// The tools of Holdfast in the hands of the real agents: given by their own flags, beside what the user has.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditPageJson } from '../../src/protocol/json/daemon-json.ts'
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
  claude: () => put(join(lab.project, '.mcp.json'), { mcpServers: { own: lab.mcpServer } }),
  codex: () => {
    const { command, args } = lab.mcpServer
    const table = `[mcp_servers.own]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
    appendFileSync(join(lab.home, '.codex/config.toml'), `\n${table}`)
  },
  opencode: () => {
    const file = join(lab.home, '.config/opencode/opencode.json')
    const { command, args } = lab.mcpServer
    const mcp = { own: { type: 'local', command: [command, ...args], enabled: true } }
    put(file, { ...JSON.parse(readFileSync(file, 'utf8')), mcp })
  },
}
const put = (file: string, content: object) => writeFileSync(file, JSON.stringify(content))

test.each(kinds)("%s keeps the user's own MCP servers beside ours", async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  ownServer[kind]?.()
  const id = await run('DO:write{made.txt} DO:mcp{lab_ping} DO:mcp{heartbeat_session}', 'full')
  await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(told()).toContain('pong from the lab')
  expect(told()).toContain(`"session_id":"${id}","status":"active"`)
})

/** What keeps the tools of Holdfast from starting: they break, or the user has switched them off. */
const keptAway = {
  claude: () => ['--env', 'NODE_OPTIONS=--require=/nowhere.cjs'],
  codex: () => {
    appendFileSync(join(lab.home, '.codex/config.toml'), '\n[mcp_servers.holdfast]\nenabled = false\n')
    return []
  },
} as const

test.each(['claude', 'codex'] as const)(
  '%s works without tools that do not arrive, and that is said',
  async (kind) => {
    const { world, run } = await worldWith(kind, lab)
    const id = await run('DO:write{made.txt} DO:mcp{heartbeat_session}', 'full', ...keptAway[kind]())
    const task = await world.untilStatus(id, 'COMPLETED', 100_000)
    expect(await world.ok(['logs', id])).toContain('NO TOOL for heartbeat_session')
    expect(task.bridge).toBe('absent')
    expect(await world.ok(['why', id])).toContain(
      'the agent works without the tools of Holdfast that it was given',
    )
  },
)
