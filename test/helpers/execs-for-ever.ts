import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { signal } from './world.ts'

/** A process that only ever becomes itself: at one look in forty, the kernel has no environment of it to tell. */
export function execsForEver(directory: string, env: Record<string, string> = {}): number {
  const script = `${directory}/again.sh`
  writeFileSync(script, `exec sh ${script}\n`)
  const child = spawn('sh', [script], { env: { PATH: process.env.PATH!, ...env }, detached: true })
  onTestFinished(() => signal(-child.pid!, 'SIGKILL'))
  return child.pid!
}
