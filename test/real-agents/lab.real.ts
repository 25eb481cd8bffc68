import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LaunchPlan, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { AGENTS, type AgentKind } from './agent-home.ts'
import { type Launcher, useLab } from './lab.ts'

const lab = useLab()

test.each(AGENTS)('%s says what the scripted model says, and talks to nobody else', async (kind) => {
  const { code, lines, stderr } = await run(kind, 'DO:text{four words by heart}')
  expect(lines.join('\n')).toContain('four words by heart')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(lab.strays()).toEqual([])
})

test.each(AGENTS)(
  '%s does with its tools what the scripted model wants, one after the other',
  async (kind) => {
    const { code } = await run(kind, 'DO:write{out.txt} DO:shell{echo more >> out.txt}')
    expect(code).toBe(0)
    expect(readFileSync(join(lab.project, 'out.txt'), 'utf8')).toBe('written by the lab\nmore\n')
    expect(
      lab
        .requests()
        .at(-1)
        ?.turns.map(({ role }) => role),
    ).toEqual(expect.arrayContaining(['user', 'call', 'tool']))
  },
)

test.each(['codex', 'claude', 'opencode'] as const)('%s reaches the MCP server of the lab', async (kind) => {
  await run(kind, 'DO:mcp{lab_ping}')
  expect(lab.requests().at(-1)?.turns.at(-1)?.text).toContain('pong from the lab')
})

test.each(AGENTS)('%s dies with the tool it is running', async (kind) => {
  const begun = join(lab.project, 'begun')
  const prompt = 'DO:shell{echo $$ > begun; exec tail -f /dev/null}'
  const running = lab.start(byHand[kind], lab.request({ prompt }))
  const tool = await waitFor(
    'the tool',
    () => existsSync(begun) && readFileSync(begun, 'utf8').trim(),
    60_000,
  )
  expect(await running.kill()).toMatchObject({ code: null, signal: 'SIGKILL' })
  expect(isAlive(tool)).toBe(false)
})

/** The dead whom nobody buried have no command line. */
const isAlive = (pid: string) =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''

const run = (kind: AgentKind, prompt: string) => lab.runPlan(byHand[kind], lab.request({ prompt }))

/** Started by hand-written arguments, so that what fails here is the lab and not a driver. */
const byHand: Record<AgentKind, Launcher> = {
  codex: launcher('codex', ({ command, args }) => [
    ...['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    ...['-c', `mcp_servers.lab.command=${JSON.stringify(command)}`],
    ...['-c', `mcp_servers.lab.args=${JSON.stringify(args)}`, '-'],
  ]),
  claude: launcher('claude', ({ command, args }) => [
    ...['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
    `--mcp-config=${JSON.stringify({ mcpServers: { lab: { command, args } } })}`,
    '--allowedTools=Bash,mcp__lab__lab_ping',
  ]),
  opencode: launcher(
    'opencode',
    () => ['run', '--format', 'json'],
    ({ command, args }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        mcp: { lab: { type: 'local', command: [command, ...args] } },
      }),
    }),
  ),
  pi: launcher('pi', () => ['-p', '--mode', 'json']),
}

function launcher(
  kind: AgentKind,
  args: (mcp: typeof lab.mcpServer) => string[],
  env: (mcp: typeof lab.mcpServer) => Record<string, string> = () => ({}),
): Launcher {
  const launch = ({ prompt }: LaunchRequest): LaunchPlan => ({
    argv: [kind, ...args(lab.mcpServer)],
    env: env(lab.mcpServer),
    stdin: prompt,
    files: [],
    sessionId: null,
  })
  return { kind, launch, readEvent: () => [] }
}
