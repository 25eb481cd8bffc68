import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import { tempDir } from '../helpers/temp-dir.ts'

/** Makes writer.ts something that Node runs; returns the file's path. */
export async function buildWriter(): Promise<string> {
  const dir = tempDir()
  const root = fileURLToPath(new URL('../../', import.meta.url))
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  const outfile = join(dir, 'writer.mjs')
  const entryPoints = [join(root, 'test/store/writer.ts')]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
  return outfile
}

/** Runs Node until the test ends or it does; `said` grows by what it writes to stdout. */
export function spawnNode(argv: readonly string[]) {
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
  // Not `exit`: what it wrote last may still be on its way.
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const running = { ended, said: '', kill: () => child.kill('SIGKILL') }
  child.stdout.on('data', (text) => {
    running.said += text
  })
  onTestFinished(async () => {
    running.kill()
    await ended
  })
  return running
}
