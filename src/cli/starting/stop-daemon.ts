// Owns stopping the daemon and waiting until its process is gone: only then is the home free. Agents go on.
import { setTimeout as sleep } from 'node:timers/promises'
import { HoldfastError } from '../../domain/errors.ts'
import { homePaths } from '../../domain/names/home.ts'
import { isErrno } from '../../domain/system-error.ts'
import type { HealthJson } from '../../protocol/json/daemon-json.ts'
import { isGone as isProcessGone, readStartData, readStat } from '../../system/processes/proc-stat.ts'
import type { Context } from '../context.ts'
import { isConnectionError } from '../wire/daemon-error.ts'
import { holderPid } from '../wire/daemon-holder.ts'
import { endedWith } from './last-words.ts'
import { runningHealth } from './running-health.ts'

/** The daemon finishes what it has begun; with a thousand working tasks that can take a while. */
const GONE_WITHIN_MS = 60_000
const NOTICE_AFTER_MS = 2_000
const LOOK_EVERY_MS = 20

/** A daemon that was found: `health` is its last answer, null when it was stopping already. */
type Found = { readonly pid: number; readonly health: HealthJson | null }

/** `failure`: what went wrong while it stopped, for example that the tmux server did not end. */
export type Stopped = Found & { readonly failure: HoldfastError | undefined }

/** Undefined when no daemon ran. */
export async function stopDaemon(context: Context): Promise<Stopped | undefined> {
  const found = await findDaemon(context)
  if (found === undefined) return undefined
  if (found.health !== null) await askToStop(context)
  await untilGone(found.pid, context)
  return { ...found, failure: endedWith(found.pid, homePaths(context.home).daemonStderr) }
}

/**
 * A daemon that is starting, very busy or stopping does not answer: whether there is one is decided by its process, not by
 * its socket.
 */
async function findDaemon(context: Context): Promise<Found | undefined> {
  const wait = waitStep(context)
  for (let pid: number | undefined; ; ) {
    const health = await runningHealth(context)
    if (health !== undefined) return { pid: health.pid, health }
    const holder = livingHolder(context.home)
    if (holder === undefined) return pid === undefined ? undefined : { pid, health: null }
    pid = holder
    await wait(pid)
  }
}

const askToStop = (context: Context) =>
  context
    .runningDaemon()
    .call('POST /api/shutdown')
    .catch((error) => {
      if (!isConnectionError(error)) throw error
    })

async function untilGone(pid: number, context: Context): Promise<void> {
  const wait = waitStep(context)
  while (!isGone(pid)) await wait(pid)
}

/** Each call waits a moment. After a while it prints a notice, and in the end it throws. */
function waitStep({ say }: Context): (pid: number) => Promise<void> {
  const since = performance.now()
  let isNoticed = false
  return async (pid) => {
    const waited = performance.now() - since
    if (waited > GONE_WITHIN_MS)
      throw new HoldfastError(
        'DAEMON_SILENT',
        `The daemon (pid ${pid}) has not ended within ${GONE_WITHIN_MS / 1000} seconds.`,
      )
    if (waited > NOTICE_AFTER_MS && !isNoticed) {
      isNoticed = true
      say(`Waiting for the daemon (pid ${pid}) to end…`)
    }
    await sleep(LOOK_EVERY_MS)
  }
}

/** The file may be left from a daemon that was killed, and its pid may belong to another process by now. */
function livingHolder(home: string): number | undefined {
  const pid = holderPid(home)
  return pid === undefined || isGone(pid) || !mentions(pid, home) ? undefined : pid
}

function mentions(pid: number, home: string): boolean {
  const given = readStartData(pid, 'cmdline')
  // Other systems have no /proc: there the pid alone has to be enough.
  if (!Buffer.isBuffer(given)) return process.platform !== 'linux'
  return given.toString('utf8').split('\0').includes(home)
}

function isGone(pid: number): boolean {
  const stat = readStat(pid)
  return stat === undefined ? !takesSignals(pid) : isProcessGone(stat)
}

/** Without /proc, a signal shows whether the process exists. */
function takesSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}
