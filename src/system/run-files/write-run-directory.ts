// Owns how the directory of a run comes to be.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { unless } from '../../domain/system-error.ts'
import type { LaunchFiles } from '../../ports/run/run-files.ts'
import { FILES_DIR, type launchTexts } from './launch-texts.ts'

const NEW_AND_OURS = { flag: 'wx', mode: 0o600 } as const

type Where = {
  readonly directory: string
  /** Its name until all of it is written. */
  readonly unfinished: string
  readonly shimSource: string
}

/** Written whole or not at all. A run directory that exists already, perhaps of a voided start, stays as it is. */
export function writeRunDirectory(
  files: Pick<LaunchFiles, 'files' | 'outputLog'>,
  texts: ReturnType<typeof launchTexts>,
  { directory, unfinished, shimSource }: Where,
): void {
  rmSync(unfinished, { recursive: true, force: true })
  try {
    mkdirSync(unfinished, { mode: 0o700 })
    if (files.files.length > 0) mkdirSync(`${unfinished}/${FILES_DIR}`, { mode: 0o700 })
    symlinkSync(files.outputLog, `${unfinished}/output.log`)
    writeFileSync(`${unfinished}/shim`, readFileSync(shimSource), NEW_AND_OURS)
    for (const [name, content] of texts) writeFileSync(`${unfinished}/${name}`, content, NEW_AND_OURS)
    renameUnlessThere(unfinished, directory)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function renameUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    unless(undefined, 'ENOTEMPTY', 'EEXIST')(error)
  }
}
