// Owns the commands that show what Holdfast knows of agents, and how their drivers read screens and event lines.
import { driversByKind } from '../../../agents/registry.ts'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import type { Abilities, AgentDriver } from '../../../ports/run/agent-driver.ts'
import type { ScreenView } from '../../../ports/run/screen.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type FoundAgent, findAgents, knownAgents } from '../../doctor/find-agents.ts'
import { type Column, table } from '../../render/print/table.ts'

const columns: readonly Column<FoundAgent>[] = [
  { title: 'KIND', of: ({ kind }) => kind, least: 8, rank: 5 },
  {
    title: 'VERSION',
    of: versionText,
    least: 9,
    rank: 4,
  },
  {
    title: 'TESTED',
    of: ({ driver }) => [...new Set(driver.program?.tested ?? ['–'])].join(' – '),
    least: 7,
    rank: 1,
  },
  { title: 'CAN', of: ({ driver }) => canText(driver.can), least: 10, rank: 3 },
  { title: 'PATH', of: pathText, least: 10, rank: 2 },
]

/** What each agent kind can do on this machine, as its driver declares it. */
export async function agents(_input: InputOf<'agents'>, context: Context): Promise<number> {
  const found = await findAgents(await knownAgents(context.env, context.path()), context.env)
  const answer = found.map(({ driver, ...rest }) => ({
    ...rest,
    tested_versions: driver.program?.tested ?? null,
    install: driver.program?.install ?? null,
    can: driver.can,
  }))
  context.show({ agents: answer }, () => [
    ...table(columns, found, context.width()),
    ...howToInstall(found),
    ...warnings(found),
  ])
  return 0
}

function versionText({ version, path, unusable, driver }: FoundAgent): string {
  if (driver.program === null) return 'built in'
  const known = version ?? (path === null ? 'not found' : '?')
  return unusable === null ? known : `${known} (too old)`
}

function pathText({ path, driver }: FoundAgent): string {
  return path ?? (driver.program === null ? 'comes with Holdfast, for demos and tests' : '-')
}

/** Below the table: a command is of no use when it is cut. */
function howToInstall(found: readonly FoundAgent[]): string[] {
  const commands = found.flatMap(({ path, driver }) => (path === null ? (driver.program?.install ?? []) : []))
  return commands.length === 0 ? [] : ['', 'To install one:', ...commands.map((line) => `  ${line}`)]
}

const warnings = (found: readonly FoundAgent[]) =>
  found.flatMap(({ kind, unusable, driver }) =>
    unusable === null ? [] : ['', `${kind} cannot be used: ${unusable}.`, `  ${driver.program?.install}`],
  )

function canText(can: Abilities): string {
  const extras: [boolean, string][] = [
    [can.converse, 'converse'],
    [can.personaFlag, 'persona'],
    [can.extraDirs, 'extra dirs'],
    [can.mcp, 'mcp'],
    [can.resume, 'resume'],
  ]
  return [...can.modes, ...extras.flatMap(([has, name]) => (has ? [name] : []))].join(', ')
}

/** What Holdfast reads from a screen: for bug reports and for new agents. */
export async function readAgentScreen(
  { args, options }: InputOf<'agents read'>,
  context: Context,
): Promise<number> {
  const view: ScreenView = { text: await stdinText(), title: options.title, cursor: cursorOf(options.cursor) }
  const driver = await driverOf(args.kind, context)
  context.out(JSON.stringify(driver.readScreen(view), null, 2))
  return 0
}

/** What Holdfast reads from an agent's event stream: a JSON line for each thing that the agent said. */
export async function readAgentEvents({ args }: InputOf<'agents events'>, context: Context): Promise<number> {
  const driver = await driverOf(args.kind, context)
  for (const line of (await stdinText()).split('\n'))
    if (line.trim() !== '') for (const said of driver.readEvent(line)) context.out(JSON.stringify(said))
  return 0
}

const driverOf = async (kind: string, { env, path }: Context): Promise<AgentDriver> =>
  driversByKind(await knownAgents(env, path())).get(kind)

function cursorOf(text: string | undefined): ScreenView['cursor'] {
  if (text === undefined) return undefined
  const [, x, y] = /^(\d+),(\d+)$/.exec(text) ?? []
  if (x === undefined) throw new HoldfastError('USAGE', `Option --cursor: '${printable(text)}' is not X,Y.`)
  return { x: Number(x), y: Number(y) }
}

async function stdinText(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}
