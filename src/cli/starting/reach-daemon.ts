// Owns making sure that a daemon runs: starts one, or waits for the one that another command is starting.

import { accessSync, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { homePaths } from '../../domain/names/home.ts'
import { daemonEnv } from '../../domain/run/caller-environment.ts'
import { asDiskError } from '../../domain/system-error.ts'
import { makeSafeHome } from '../../system/home/safe-home.ts'
import { spawnDetached } from '../../system/processes/exec.ts'
import { daemonArguments } from '../../system/service/daemon-arguments.ts'
import { serviceFileState } from '../../system/service/service-file.ts'
import { systemctl } from '../../system/service/systemd.ts'
import { UNIT } from '../../system/service/unit.ts'
import { isPerson } from '../wire/caller.ts'
import { silentDaemon } from '../wire/daemon-holder.ts'
import { daemonScript } from '../wire/daemon-script.ts'
import { fatalErrorIn, lastLineOf } from './last-words.ts'
import { ownService } from './own-service.ts'

/** The exit code of a daemon that found the lock held by another one. */
const LOCK_HELD_EXIT = 75
const LOOK_EVERY_MS = 20
/** The daemon that holds the lock may be stopping: when it does not answer for this long, one is started again. */
const START_AGAIN_AFTER_MS = 300
/** A service does not tell why its daemon cannot start. After this time we start one ourselves, which does. */
const SERVICE_WITHIN_MS = 5_000
/** How long a run waits for a daemon; `holdfast down && holdfast up` takes less. */
const RESTART_WITHIN_MS = 5_000

export type Reach = {
  readonly home: string
  readonly script?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly withinMs?: number
}

/** Returns when the daemon accepts connections. Many may call this at once: the kernel's lock lets only one daemon run. */
export async function reachDaemon({
  home,
  env,
  script = daemonScript(),
  withinMs = 10_000,
}: Reach): Promise<void> {
  const { socket } = homePaths(home)
  if (!isPerson(env)) return await awaitDaemon(home, socket)
  makeHome(home)
  const deadline = performance.now() + withinMs
  if ((await startByService(home, env)) && (await acceptsWithin(socket, SERVICE_WITHIN_MS))) return
  let started = await start(home, script, env)
  while (performance.now() < deadline) {
    if (await acceptsConnections(socket)) return
    const exit = started.exit()
    if (exit === undefined) await sleep(LOOK_EVERY_MS)
    else if (exit !== LOCK_HELD_EXIT) throw startFailure(exit, started.said())
    else if (await acceptsWithin(socket, START_AGAIN_AFTER_MS)) return
    else started = await start(home, script, env)
  }
  throw silentDaemon(home)
}

/** A run starts no daemon, which would be a process of that run and outlive it. It waits for one that is being restarted. */
async function awaitDaemon(home: string, socket: string): Promise<void> {
  if (await acceptsWithin(socket, RESTART_WITHIN_MS)) return
  throw new HoldfastError(
    'NO_DAEMON_FOR_RUN',
    `No daemon is running for ${home}, and a run may not start one.`,
  )
}

/** Creates the home with mode 0700; an existing one has to be ours alone. */
function makeHome(home: string): void {
  try {
    makeSafeHome(home)
    accessSync(home, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw diskError(error, home)
  }
}

function diskError(error: unknown, home: string): unknown {
  const told = asDiskError(error, home)
  return told instanceof HoldfastError
    ? told
    : new HoldfastError('HOME_NOT_WRITABLE', `Cannot use ${home}: ${messageOf(error)}`, { cause: error })
}

/** When the daemon is installed as a service, it is started as one. */
async function startByService(home: string, env: Reach['env']): Promise<boolean> {
  const service = ownService({ home, env })
  if (service.kind !== 'systemd' || !['current', 'outdated'].includes(serviceFileState(service))) return false
  return systemctl(['start', UNIT], env).then(
    () => true,
    () => false,
  )
}

async function start(home: string, script: string, env: Reach['env']) {
  const log = openStderr(home)
  try {
    const { size: before } = fstatSync(log)
    const argv = [process.execPath, ...daemonArguments(script, home)]
    const { pid, exited } = await spawnDetached(argv, { cwd: home, env: daemonEnv(env), log })
    let exit: number | null | undefined
    void exited.then((code) => {
      exit = code
    })
    return {
      exit: () => exit,
      said: () => stderrOf(pid, homePaths(home).daemonStderr, before),
    }
  } finally {
    closeSync(log)
  }
}

/** A daemon that gets the lock empties the file, so our offset may be wrong: then its last line is found by its pid. */
function stderrOf(pid: number, path: string, before: number): string {
  const bytes = readFileSync(path)
  return lastLineOf(pid, bytes.toString()) ?? bytes.subarray(bytes.length < before ? 0 : before).toString()
}

function openStderr(home: string): number {
  try {
    return openSync(homePaths(home).daemonStderr, 'a', 0o600)
  } catch (error) {
    throw diskError(error, home)
  }
}

async function acceptsWithin(socket: string, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (performance.now() < deadline) {
    if (await acceptsConnections(socket)) return true
    await sleep(LOOK_EVERY_MS)
  }
  return false
}

export function acceptsConnections(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    probe.once('connect', () => resolve(probe.destroy() !== undefined))
    probe.once('error', () => resolve(false))
  })
}

/** The reason is what the daemon printed last: `{"fatal":{code,message}}`, or any other text. */
function startFailure(exit: number | null, said: string): HoldfastError {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const fatal = lines.map(fatalErrorIn).findLast((found) => found !== undefined)
  if (fatal !== undefined) return fatal
  const how = exit === null ? 'was killed' : `ended with exit code ${exit}`
  const last = lines.slice(-10).map((line) => `\n  ${line}`)
  return new HoldfastError('DAEMON_UNREACHABLE', `The daemon ${how} while it started.${last.join('')}`)
}
