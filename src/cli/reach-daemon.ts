// Owns bringing a daemon up: start one, or wait for the one that another command is starting.
import { accessSync, closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { daemonEnv } from '../domain/caller-environment.ts'
import { HoldfastError, isErrorCode, messageOf } from '../domain/errors.ts'
import { homePaths } from '../domain/home.ts'
import { asDiskError } from '../system/disk-error.ts'
import { spawnDetached } from '../system/exec.ts'
import { fileState } from '../system/service-file.ts'
import { UNIT } from '../system/service-unit.ts'
import { systemctl } from '../system/systemd.ts'
import { silentDaemon } from './daemon-holder.ts'
import { daemonScript } from './daemon-script.ts'
import { ownService } from './own-service.ts'

/** The daemon's word for "another one holds the lock". */
const LOCK_HELD_EXIT = 75
const LOOK_EVERY_MS = 20
/** A holder that is just stopping lets go soon; then one has to be started after all. */
const START_AGAIN_AFTER_MS = 300
/** A daemon that cannot start tells nothing from within its service; one of our own does. */
const SERVICE_WITHIN_MS = 5_000

export type Reach = {
  readonly home: string
  readonly script?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly withinMs?: number
}

/** Returns when the daemon accepts connections. Many may call this at once: the kernel lock picks one daemon. */
export async function reachDaemon({
  home,
  env,
  script = daemonScript(),
  withinMs = 10_000,
}: Reach): Promise<void> {
  makeHome(home)
  const { socket } = homePaths(home)
  const deadline = performance.now() + withinMs
  if ((await startByService(home, env)) && (await acceptsWithin(socket, SERVICE_WITHIN_MS))) return
  let started = await start(home, script, env)
  while (performance.now() < deadline) {
    if (await accepts(socket)) return
    const exit = started.exit()
    if (exit === undefined) await sleep(LOOK_EVERY_MS)
    else if (exit !== LOCK_HELD_EXIT) throw startFailure(exit, started.said())
    else if (await acceptsWithin(socket, START_AGAIN_AFTER_MS)) return
    else started = await start(home, script, env)
  }
  throw silentDaemon(home)
}

/** 0700 from the first moment; an existing one keeps its mode. */
function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
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

/** Where the daemon is a service it stays one, whoever needs it first. */
async function startByService(home: string, env: Reach['env']): Promise<boolean> {
  const service = ownService({ home, env })
  if (service.kind !== 'systemd' || !['current', 'outdated'].includes(fileState(service))) return false
  return systemctl(['start', UNIT], env).then(
    () => true,
    () => false,
  )
}

async function start(home: string, script: string, env: Reach['env']) {
  const log = openLog(home)
  try {
    const { size: before } = fstatSync(log)
    const argv = [process.execPath, script, '--home', home]
    const { exited } = await spawnDetached(argv, { cwd: home, env: daemonEnv(env), log })
    let exit: number | null | undefined
    void exited.then((code) => {
      exit = code
    })
    return {
      exit: () => exit,
      said: () => readFileSync(homePaths(home).daemonLog).subarray(before).toString(),
    }
  } finally {
    closeSync(log)
  }
}

function openLog(home: string): number {
  try {
    return openSync(homePaths(home).daemonLog, 'a', 0o600)
  } catch (error) {
    throw diskError(error, home)
  }
}

async function acceptsWithin(socket: string, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (performance.now() < deadline) {
    if (await accepts(socket)) return true
    await sleep(LOOK_EVERY_MS)
  }
  return false
}

export function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    probe.once('connect', () => resolve(probe.destroy() !== undefined))
    probe.once('error', () => resolve(false))
  })
}

/** The daemon's last words are the reason: `{"fatal":{code,message}}`, or whatever it could still say. */
function startFailure(exit: number | null, said: string): HoldfastError {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const fatal = lines.map(fatalOf).findLast((found) => found !== undefined)
  if (fatal !== undefined) return fatal
  const how = exit === null ? 'was killed' : `ended with exit code ${exit}`
  const last = lines.slice(-10).map((line) => `\n  ${line}`)
  return new HoldfastError('DAEMON_UNREACHABLE', `The daemon ${how} as it started.${last.join('')}`)
}

function fatalOf(line: string): HoldfastError | undefined {
  if (!line.includes('"fatal"')) return undefined
  try {
    const { code, message } = JSON.parse(line).fatal
    return isErrorCode(code) ? new HoldfastError(code, String(message)) : undefined
  } catch {
    return undefined
  }
}
