// Owns the directory of one drill, and that nothing of it stays: also when the drill itself was killed.
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
/** Which drill it belongs to; one that is kept belongs to nobody. */
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

/** Those of drills that could not clear up after themselves. */
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

/** A pid may belong to somebody else by now. */
const identity = (pid: number) => `${pid} ${readStat(pid)?.startTicks}`
