import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeDir } from './remove-dir.ts'

/** A short-named directory that goes when the test ends; short, because unix socket paths are. */
export function tempDir(prefix = 'hf-'): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  onTestFinished(() => removeDir(dir))
  return dir
}
