// Owns the markers of tasks whose files exist although the store may not know them yet.
import { rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { asTaskId, type TaskId } from '../domain/names/ids.ts'
import { isErrno } from '../domain/system-error.ts'
import type { TaskPlace } from '../ports/files/handoff.ts'
import type { ReplaceFile } from '../ports/files/replace-file.ts'
import { withDiskErrors } from './disk.ts'

export class Drafts {
  readonly #dir: string
  readonly #replaceFile: ReplaceFile
  constructor(dir: string, replaceFile: ReplaceFile) {
    this.#dir = dir
    this.#replaceFile = replaceFile
  }

  /** Written before the files of the task. A power cut may lose it: then a directory is left over, and no task is harmed. */
  async add({ id, project }: TaskPlace): Promise<void> {
    await withDiskErrors(this.#path(id), () => this.#replaceFile(this.#path(id), project))
  }

  async remove(id: TaskId): Promise<void> {
    await withDiskErrors(this.#path(id), async () => rmSync(this.#path(id), { force: true }))
  }

  /** Called at the start, before any marker is written: a half-written one (its name begins with a dot) is removed. */
  async all(): Promise<TaskPlace[]> {
    const all = await readdir(this.#dir).catch(noneWhenMissing)
    for (const name of all) if (name.startsWith('.')) await this.remove(asTaskId(name))
    const names = all.filter((name) => !name.startsWith('.'))
    return Promise.all(
      names.map(async (name) => ({
        id: asTaskId(name),
        project: await readFile(this.#path(name), 'utf8'),
      })),
    )
  }

  #path = (id: string) => `${this.#dir}/${id}`
}

const noneWhenMissing = (error: unknown): string[] => {
  if (isErrno(error, 'ENOENT')) return []
  throw error
}
