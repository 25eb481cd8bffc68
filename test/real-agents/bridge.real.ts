// The tools of Holdfast in the hands of the real agents: given by their own flags, beside what the user has.
import { writeFileSync } from 'node:fs'
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

test("claude keeps the user's own MCP servers beside ours", async () => {
  const { command, args } = lab.mcpServer
  const own = { mcpServers: { own: { command, args } } }
  const { world, run } = await worldWith('claude', lab)
  writeFileSync(join(lab.project, '.mcp.json'), JSON.stringify(own))
  const id = await run('DO:mcp{lab_ping} DO:mcp{heartbeat_session}', 'full')
  await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(told()).toContain('pong from the lab')
  expect(told()).toContain(`"session_id":"${id}","status":"active"`)
})
