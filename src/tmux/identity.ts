// Owns telling one process from another that got its pid later.
import { existsSync, readFileSync } from 'node:fs'
import type { Clock } from '../ports/clock.ts'
import type { ProcessIdentity } from '../ports/processes.ts'

const HAS_PROC = existsSync('/proc/self/stat')
const POLL_MS = 5

/** Undefined when it is gone; a zombie is gone. Without /proc (macOS) the pid is all there is. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  if (!HAS_PROC) return takesSignals(pid) ? { pid, startTicks: 0 } : undefined
  try {
    // The name in parentheses may hold anything, so count fields after its end: state is 3rd, start time 22nd.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(fields[0]!) ? undefined : { pid, startTicks: Number(fields[19]) }
  } catch {
    return undefined
  }
}

export const isAlive = ({ pid, startTicks }: ProcessIdentity) => identityOf(pid)?.startTicks === startTicks

/** False when that very process is gone. */
export function signal(who: ProcessIdentity, name: NodeJS.Signals): boolean {
  return isAlive(who) && takesSignals(who.pid, name)
}

/** False when it is still there after this long. */
export async function untilGone(who: ProcessIdentity, clock: Clock, withinMs: number): Promise<boolean> {
  const deadline = clock.monotonic() + withinMs
  while (isAlive(who) && clock.monotonic() < deadline) await clock.sleep(POLL_MS)
  return !isAlive(who)
}

function takesSignals(pid: number, name: NodeJS.Signals | 0 = 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
