import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { tempDir } from './temp-dir.ts'
import { signal } from './world.ts'

/** Processes that only ever become themselves: at some looks the kernel has no environment of them to tell. */
export function execForEver(count: number, env: Record<string, string> = {}) {
  const dir = tempDir()
  const script = `${dir}/again.sh`
  writeFileSync(script, `exec sh ${script}\n`)
  const pids = Array.from({ length: count }, () => {
    const child = spawn('sh', [script], { env: { PATH: process.env.PATH!, ...env }, detached: true })
    onTestFinished(() => signal(-child.pid!, 'SIGKILL'))
    return child.pid!
  })
  return { dir, pids }
}
