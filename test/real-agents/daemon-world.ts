// A world whose daemon starts the real agents, each with the lab's model.
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { realDrivers } from '../../src/agents/all.ts'
import type { Permission } from '../../src/domain/run/permission.ts'
import type { AgentDriver } from '../../src/ports/run/agent-driver.ts'
import { startWorld } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import type { Lab } from './lab.ts'

const GIVEN = ['PATH', 'HOME', 'TERM', 'LANG']

export const driverOf = (kind: AgentKind): AgentDriver => realDrivers.find((driver) => driver.kind === kind)!
export const kindsThat = (has: (driver: AgentDriver) => boolean) =>
  realDrivers.filter(has).map(({ kind }) => kind as AgentKind)

/** The least with which it may write a file. */
const mayWrite = (kind: AgentKind): Permission =>
  driverOf(kind).can.permissions.includes('edit') ? 'edit' : 'default'

export async function worldWith(kind: AgentKind, lab: Lab, config = '') {
  const { world, runOf } = await worldOf([kind], lab, config)
  const run = (prompt: string, permission = mayWrite(kind), ...flags: string[]) =>
    runOf(kind, prompt, '--permissions', permission, ...flags)
  return { world, run }
}

const namesIn = (env: Readonly<Record<string, string>>) =>
  Object.keys(env).filter((name) => !GIVEN.includes(name))

/** What `env.pass` has to name where no `--env` can: for runtimes. */
export const passedTo = (kind: AgentKind, lab: Lab) => [...namesIn(lab.environment(kind)), 'IS_SANDBOX']

/** Several agents in one world. */
export async function worldOf(kinds: readonly AgentKind[], lab: Lab, config = '') {
  const envs = kinds.map((kind) => lab.environment(kind))
  const env: Record<string, string> = Object.assign({}, ...envs)
  env.PATH = envs.map(({ PATH }) => PATH).join(delimiter)
  mkdirSync(join(lab.home, '.config/holdfast'), { recursive: true })
  writeFileSync(join(lab.home, '.config/holdfast/config.yaml'), `kill.grace: 1s\n${config}`)
  const world = await startWorld({ env })
  const passed = namesIn(env).flatMap((name) => ['--env', name])
  // Claude Code refuses full permissions to root, unless it is told that it is in a sandbox.
  passed.push('--env', 'IS_SANDBOX=1')
  const runOf = (kind: AgentKind, prompt: string, ...flags: string[]) =>
    world.run(prompt, '--agent', kind, '--dir', lab.project, ...passed, ...flags)
  return { world, runOf }
}
