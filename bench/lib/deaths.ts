// Owns killing agents and the moment at which their deaths are stored, and the least that such a notice could take.
import { renameSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Daemon } from './daemon.ts'
import type { Home } from './home.ts'

export type Victim = { readonly taskId: string; readonly runId: string; readonly pid: number }
export type Deaths = {
  /** From the kill until the event arrives here, which is after the commit. */
  readonly noticed: number[]
  /** From the kill until the shim has put the exit record in place; the rest is the daemon's. */
  readonly exitRecord: number[]
}
export const nobody = (): Deaths => ({ noticed: [], exitRecord: [] })

export async function killAll(
  victims: readonly Victim[],
  home: Home,
  daemon: Daemon,
  deaths: Deaths,
): Promise<void> {
  const followed = await Promise.all(victims.map(({ taskId }) => daemon.follow(taskId)))
  const killed = victims.map(({ pid }) => {
    const moment = { mono: performance.now(), wall: Date.now() }
    process.kill(pid, 'SIGKILL')
    return moment
  })
  const arrived = await Promise.all(followed.map((task) => task.event('task_failed')))
  for (const [n, { runId }] of victims.entries()) {
    deaths.noticed.push(arrived[n]! - killed[n]!.mono)
    const inPlace = statSync(join(home.paths.exits, `${runId}.json`)).ctimeMs
    // The clock of files ticks every few ms, so a quick record can seem older than the kill.
    deaths.exitRecord.push(Math.max(0, inPlace - killed[n]!.wall))
  }
  for (const task of followed) task.end()
}

let renames = 0
/** From a rename until Node hears of it: what noticing costs when there is nothing else to do. */
export function renameNotice(dir: string): Promise<number> {
  const name = `${++renames}.json`
  writeFileSync(join(dir, '.new'), '{}')
  return new Promise((resolve) => {
    const watcher = watch(dir, (_event, seen) => {
      if (seen !== name) return
      watcher.close()
      resolve(performance.now() - from)
    })
    const from = performance.now()
    renameSync(join(dir, '.new'), join(dir, name))
  })
}
