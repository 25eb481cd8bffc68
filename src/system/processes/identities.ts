import { existsSync } from 'node:fs'
import type { ProcessIdentities, ProcessIdentity } from '../../ports/run/processes.ts'
import { isGone, readBootId, readStat } from './proc-stat.ts'

/** Reads /proc. Where there is none (macOS), a process is known by its pid alone: its start ticks are 0. */
export function processIdentities(hasProc = existsSync('/proc/self/stat')): ProcessIdentities {
  return hasProc ? { bootId: readBootId(), identityOf } : { bootId: '', identityOf: byPidAlone }
}

function identityOf(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid)
  return stat === undefined || isGone(stat) ? undefined : { pid, startTicks: stat.startTicks }
}

function byPidAlone(pid: number): ProcessIdentity | undefined {
  try {
    process.kill(pid, 0)
    return { pid, startTicks: 0 }
  } catch {
    return undefined
  }
}
