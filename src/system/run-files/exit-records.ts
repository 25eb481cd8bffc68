// Owns exits/: one record for each run that ended, written by its shim.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { asRunId, type RunId } from '../../domain/names/ids.ts'
import { diskCode, unless } from '../../domain/system-error.ts'
import type { ExitRecord } from '../../ports/run/run-files.ts'
import { parseExit, readRecord } from './run-records.ts'
import { watchDirectory } from './watch-directory.ts'

const EXIT_FILE = /^([a-z0-9-]+)\.json$/

export class ExitRecords {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async of(runId: RunId): Promise<ExitRecord | undefined> {
    return parseExit(await readRecord(`${this.#directory}/${runId}.json`))
  }

  async all(): Promise<RunId[]> {
    const names = await readdir(this.#directory).catch(unless<string[]>([], 'ENOENT'))
    return names.flatMap((name) => runOf(name) ?? [])
  }

  /** False when the disk is full. */
  async haveRoom(): Promise<boolean> {
    const probe = `${this.#directory}/.probe`
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      await writeFile(probe, 'room for an exit record', { mode: 0o600 })
      return true
    } catch (error) {
      return diskCode(error) !== 'DISK_FULL'
    } finally {
      await rm(probe, { force: true }).catch(() => {})
    }
  }

  /** A keeper that was killed, or met a full disk, may have left one. */
  async removeUnfinished(runId: RunId): Promise<void> {
    await rm(`${this.#directory}/.${runId}.tmp`, { force: true })
  }

  /** After a gap in the watch, every exit record is reported again. */
  watch(onExit: (runId: RunId) => void): () => void {
    const reportAll = async () => {
      for (const runId of await this.all()) onExit(runId)
    }
    return watchDirectory({
      directory: this.#directory,
      make: true,
      onName(name) {
        const runId = runOf(name)
        if (runId !== undefined) onExit(runId)
      },
      // What cannot be read now is found by the next gap or by the reconcile tick.
      onGap: () => void reportAll().catch(() => {}),
    })
  }
}

function runOf(name: string): RunId | undefined {
  const id = EXIT_FILE.exec(name)?.[1]
  return id === undefined ? undefined : asRunId(id)
}
