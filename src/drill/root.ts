// Owns the directory of one drill, and that nothing of it is left, even when the drill itself was killed.
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStat } from '../system/processes/proc-stat.ts'
import { killProcessesBelow } from '../system/processes/processes-below.ts'

const PREFIX = 'hf-drill-'
/** The file that names the process of the drill. A directory that is kept (`--keep`) has none. */
const ownerFile = (root: string) => join(root, 'owner')

export function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)))
  writeFileSync(ownerFile(root), identity(process.pid))
  return root
}

export function clearRoot(root: string, keep = false): void {
  killProcessesBelow(root)
  rmSync(keep ? ownerFile(root) : root, { recursive: true, force: true, maxRetries: 5 })
}

/** Removes the directories of drills that were killed before they could do it. */
export function clearAbandoned(): void {
  const roots = readdirSync(realpathSync(tmpdir()))
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(realpathSync(tmpdir()), name))
  for (const root of roots) if (isAbandoned(root)) clearRoot(root)
}

function isAbandoned(root: string): boolean {
  try {
    const { uid } = lstatSync(root)
    const owner = readFileSync(ownerFile(root), 'utf8')
    return uid === process.getuid?.() && owner !== '' && owner !== identity(Number.parseInt(owner, 10))
  } catch {
    return false
  }
}

/** With start ticks, because a pid may belong to another process later. */
const identity = (pid: number) => `${pid} ${readStat(pid)?.startTicks}`
