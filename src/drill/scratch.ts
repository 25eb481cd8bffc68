// Owns the scratch home and workspace of one blow. The user's own are not touched.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reachDaemon } from '../cli/starting/reach-daemon.ts'
import { callerHeaders } from '../cli/wire/caller.ts'
import { DaemonClient } from '../cli/wire/client.ts'
import { type HomePaths, homePaths } from '../domain/names/home.ts'
import type { Config } from '../domain/settings/config.ts'
import { processesBelow } from '../system/processes/processes-below.ts'
import { FILES, HOLD } from './work.ts'

type Env = Readonly<Record<string, string | undefined>>

export type Scratch = {
  readonly dir: string
  readonly home: HomePaths
  readonly project: string
  /** The directory in which the scripted agent keeps its sessions: what it was told. */
  readonly sessions: string
  /** The environment for the agent: the caller's, as for any run. */
  readonly env: Env
  readonly tmux: string
  /** A client that starts the daemon of the scratch home when none is running. */
  readonly daemon: DaemonClient
}

/** The user's settings that agents and tmux need to be found and to work. */
type Kept = Pick<Config, 'env.pass' | 'tmux.path'>

/** Short times, so that the drill is short. The first retry comes at once with any setting. */
const QUICK = {
  'kill.grace': '2s',
  'backoff.base': '100ms',
  'backoff.cap': '500ms',
  'wake.stagger': '100ms',
  'reconcile.interval': '500ms',
}

export function makeScratch(dir: string, env: Env, config: Kept): Scratch {
  const home = homePaths(join(dir, 'home'))
  const project = join(dir, 'project')
  const agentHome = join(dir, 'agent')
  const settingsDir = join(dir, 'config')
  const settings = { ...QUICK, 'env.pass': config['env.pass'], 'tmux.path': config['tmux.path'] }
  for (const made of [dir, home.home, project, agentHome, join(settingsDir, 'holdfast')])
    mkdirSync(made, { mode: 0o700, recursive: true })
  writeFileSync(join(settingsDir, 'holdfast/config.yaml'), JSON.stringify(settings))
  writeFileSync(join(project, FILES.hold), HOLD)
  const reach = () => reachDaemon({ home: home.home, env: { ...env, XDG_CONFIG_HOME: settingsDir } })
  return {
    dir,
    home,
    project,
    sessions: join(agentHome, 'sessions'),
    env: { ...env, SCRIPTED_AGENT_HOME: agentHome },
    tmux: config['tmux.path'],
    daemon: new DaemonClient({ home: home.home, socket: home.socket, headers: callerHeaders(env), reach }),
  }
}

const LEFT_OVER = /\.tmp|daemon\.(sock|json)$|\/env$|^drafts\/./

/** Processes and files that should be gone after the daemon of the scratch home has stopped. */
export function leftOvers({ dir, home }: Scratch): string[] {
  const processes = processesBelow(dir).map(
    ({ pid, argv }) => `process ${pid} (${argv.slice(0, 3).join(' ')})`,
  )
  const files = readdirSync(home.home, { recursive: true, encoding: 'utf8' })
  return [...processes, ...files.filter((name) => LEFT_OVER.test(name)).map((name) => `file ${name}`)]
}
