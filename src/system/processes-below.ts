// Owns finding and ending everything that belongs to one directory, such as a scratch home.
import { readdirSync } from 'node:fs'
import { isGone, readProc, readStat } from './proc-stat.ts'

export type ProcessBelow = { readonly pid: number; readonly argv: readonly string[] }

const MOST_ROUNDS = 200
const BETWEEN_ROUNDS_MS = 10

/** Every living process that was given a path below it, as an argument or in its environment; never ourselves. */
export function processesBelow(directory: string): ProcessBelow[] {
  const path = `${directory}/`
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid <= 1 || pid === process.pid) return []
    const argv = readProc(`/proc/${pid}/cmdline`)?.toString() ?? ''
    if (!argv.includes(path) && readProc(`/proc/${pid}/environ`)?.includes(path) !== true) return []
    const stat = readStat(pid)
    return stat === undefined || isGone(stat) ? [] : [{ pid, argv: argv.split('\0') }]
  })
}

/**
 * kill -9 for all of them, those that `first` names before the others, until none is left: a dying one may still be
 * starting another. Synchronous, so that it can be the last thing a process does. False when some would not die.
 */
export function killProcessesBelow(
  directory: string,
  first: (found: ProcessBelow) => boolean = () => false,
): boolean {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = processesBelow(directory)
    if (found.length === 0) return true
    for (const each of found.filter(first)) kill(each)
    for (const each of found.filter((one) => !first(one))) kill(each)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_ROUNDS_MS)
  }
  return false
}

function kill({ pid }: ProcessBelow): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was faster, or is somebody else's: the next look tells.
  }
}
