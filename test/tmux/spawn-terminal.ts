import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { onTestFinished } from 'vitest'

/** terminal-process.ts as a real process; resolves when its terminal is up. */
export async function spawnTerminal(dir: string, ...args: string[]): Promise<ChildProcess & { pid: number }> {
  const outfile = join(dir, 'terminal-process.mjs')
  const entry = join(import.meta.dirname, 'terminal-process.ts')
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' })
  const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the terminal process ended too early'))),
  ])
  return child as ChildProcess & { pid: number }
}
