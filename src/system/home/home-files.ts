import { lstatSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import type { HomePaths } from '../../domain/names/home.ts'
import { isTaskId } from '../../domain/names/names.ts'
import { unless } from '../../domain/system-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { HomeFiles, Kept } from '../../ports/files/home-files.ts'
import type { Packing } from '../../ports/files/packing.ts'
import { diskUsage } from '../disk/usage.ts'
import { withDiskErrors } from '../disk/with-disk-errors.ts'
import { rotateLog } from '../logs/rotate-log.ts'

/** Run ids are made by uuidv7. Entries with other names were not made by us. */
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Needs = { readonly home: HomePaths; readonly clock: Pick<Clock, 'now'>; readonly packing: Packing }

export class DiskHomeFiles implements HomeFiles {
  readonly #needs: Needs
  constructor(needs: Needs) {
    this.#needs = needs
  }

  used = diskUsage

  async kept(): Promise<Kept[]> {
    const { runs, exits, tasks } = this.#needs.home
    const exitIds = (await namesIn(exits))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -5))
    return [
      ...(await namesIn(runs)).filter(isRunId).map((id) => ({ kind: 'run', id }) as const),
      ...exitIds.filter(isRunId).map((id) => ({ kind: 'exit', id }) as const),
      ...(await namesIn(tasks)).filter(isTaskId).map((id) => ({ kind: 'task', id }) as const),
    ]
  }

  changedAt(kept: Kept): number | undefined {
    return lstatSync(this.#path(kept), { throwIfNoEntry: false })?.mtimeMs
  }

  async remove(kept: Kept): Promise<void> {
    const path = this.#path(kept)
    await withDiskErrors(path, () => rm(path, { recursive: true, force: true }))
  }

  async rotateLogs(): Promise<void> {
    const { home, clock, packing } = this.#needs
    for (const path of [home.orchestratorLog, home.daemonLog])
      await withDiskErrors(path, () => rotateLog(path, clock.now(), packing))
  }

  #path({ kind, id }: Kept): string {
    const { runs, exits, tasks } = this.#needs.home
    if (kind === 'exit') return `${exits}/${id}.json`
    return kind === 'run' ? `${runs}/${id}` : `${tasks}/${id}`
  }
}

const isRunId = (name: string) => RUN_ID.test(name)
const namesIn = (dir: string) => readdir(dir).catch(unless<string[]>([], 'ENOENT'))
