import { isGone, readStat } from '../../src/system/processes/proc-stat.ts'

/** False only when the last thread has ended, and with it every socket and lock of the process. */
export const isAlive = (pid: number): boolean => {
  const stat = readStat(pid)
  return stat !== undefined && !isGone(stat)
}
