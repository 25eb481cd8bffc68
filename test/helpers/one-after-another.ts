import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { tempDir } from './temp-dir.ts'

/** Processes that start a child and end, one after another: one of them always lives, and none for long. */
export function oneAfterAnother(env: Record<string, string> = {}): string {
  const dir = tempDir()
  const script = `${dir}/next.sh`
  writeFileSync(script, `[ -e ${dir}/stop ] || setsid sh ${script} & exit`)
  spawn('sh', [script], { env: { PATH: process.env.PATH!, ...env }, detached: true, stdio: 'ignore' })
  onTestFinished(() => writeFileSync(`${dir}/stop`, ''))
  return dir
}
