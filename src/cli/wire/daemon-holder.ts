// Owns reading daemon.json: which daemon has the home. Only a hint for people; the kernel's lock decides.
import { readFileSync } from 'node:fs'
import { HoldfastError } from '../../domain/errors.ts'
import { homePaths } from '../../domain/names/home.ts'

export function holderPid(home: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(homePaths(home).holder, 'utf8')) as { pid?: unknown }
    return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

export const silentDaemon = (home: string, pid = holderPid(home)) =>
  new HoldfastError(
    'DAEMON_SILENT',
    `The daemon${pid === undefined ? '' : ` (pid ${pid})`} does not answer on ${homePaths(home).socket}.`,
  )
