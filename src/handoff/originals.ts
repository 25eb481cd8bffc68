// Owns the original files in the home, which only Holdfast writes. What goes wrong here is thrown.
// Synchronous where the files are small: the thread pool would take several times as long as the disk.
import {
  appendFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { HomePaths } from '../domain/names/home.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { isErrno } from '../domain/system-error.ts'
import type { Packing } from '../ports/files/packing.ts'
import type { ReplaceFile } from '../ports/files/replace-file.ts'
import { openToAppend, withDiskErrors } from './disk.ts'
import { usingFile } from './using-file.ts'
import { withFile } from './with-file.ts'

/** How long a log was before and is after an append. */
export type Growth = { readonly before: number; readonly after: number }

export class Originals {
  readonly #home: HomePaths
  readonly #packing: Packing
  readonly #replaceFile: ReplaceFile
  constructor(home: HomePaths, packing: Packing, replaceFile: ReplaceFile) {
    this.#home = home
    this.#packing = packing
    this.#replaceFile = replaceFile
  }

  path = (id: TaskId, name: string) => `${this.#home.task(id)}/${name}`

  has(id: TaskId): boolean {
    return existsSync(this.#home.task(id))
  }

  /** A file that holds this text already is left alone: a crash in the midst of writing it again would leave a file beside it. */
  replace(id: TaskId, name: string, text: string, options?: { durable: boolean }): Promise<void> {
    const path = this.path(id, name)
    return withDiskErrors(path, async () => {
      if (options?.durable === true || (await this.read(id, name)) !== text)
        await this.#replaceFile(path, text, options)
    })
  }

  /** Waits until these files, and their names, survive a power cut. */
  async sync(id: TaskId, names: readonly string[]): Promise<void> {
    const directory = this.#home.task(id)
    const paths = [directory, ...names.map((name) => this.path(id, name))]
    await withDiskErrors(directory, () =>
      Promise.all(paths.map((path) => withFile(open(path), (file) => file.sync()))),
    )
  }

  /** Cuts the file to `at` bytes if it is longer, then appends all of the text or nothing. */
  append(id: TaskId, name: string, text: string, at = Number.POSITIVE_INFINITY): Promise<Growth> {
    const path = this.path(id, name)
    return withDiskErrors(path, async () => {
      // The file is shorter than we left it: it may have been packed meanwhile.
      if (at !== Number.POSITIVE_INFINITY && sizeOf(path) < at) await this.#packing.unpack(path)
      return usingFile(openToAppend(path), (file) => cutAndAppend(file, text, at))
    })
  }

  /** The log is opened for each append, so that it can be rotated by renaming. */
  appendToOrchestratorLog(text: string): Promise<void> {
    const path = this.#home.orchestratorLog
    return withDiskErrors(path, async () =>
      usingFile(openToAppend(path), (file) => appendFileSync(file, text)),
    )
  }

  /** The whole lines of a log. Half a line, left by a crash, is cut off. */
  async lines(id: TaskId, name: string): Promise<string[]> {
    const path = this.path(id, name)
    if (!existsSync(path)) await this.#packing.unpack(path)
    const text = (await this.read(id, name)) ?? ''
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole !== text) await withDiskErrors(path, async () => truncateSync(path, Buffer.byteLength(whole)))
    return whole.split('\n').slice(0, -1)
  }

  async read(id: TaskId, name: string): Promise<string | undefined> {
    try {
      return readFileSync(this.path(id, name), 'utf8')
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined
      throw error
    }
  }

  readLog(id: TaskId, name: string, offset: number): AsyncIterable<Uint8Array> {
    return this.#packing.readFrom(this.path(id, name), offset)
  }

  logSize(id: TaskId, name: string): Promise<number> {
    return this.#packing.sizeOf(this.path(id, name))
  }

  /** Packs the file when it has more than `mostBytes`. */
  async pack(id: TaskId, name: string, mostBytes: number): Promise<void> {
    const path = this.path(id, name)
    if (sizeOf(path) > mostBytes) await this.#packing.pack(path)
  }

  isPacked(id: TaskId, name: string): boolean {
    const path = this.path(id, name)
    return !existsSync(path) && existsSync(`${path}.gz`)
  }

  removeFile(id: TaskId, name: string): Promise<void> {
    const path = this.path(id, name)
    return withDiskErrors(path, async () => rmSync(path, { force: true }))
  }

  remove(id: TaskId): Promise<void> {
    return withDiskErrors(this.#home.task(id), () =>
      rm(this.#home.task(id), { recursive: true, force: true }),
    )
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function cutAndAppend(file: number, text: string, at: number): Growth {
  const { size } = fstatSync(file)
  const before = Math.min(size, at)
  if (size > before) ftruncateSync(file, before)
  try {
    appendFileSync(file, text)
  } catch (error) {
    cutBack(file, before)
    throw error
  }
  return { before, after: before + Buffer.byteLength(text) }
}

/** A disk that became full leaves half a line, and the next line would be appended to it. */
function cutBack(file: number, length: number): void {
  try {
    ftruncateSync(file, length)
  } catch {}
}
