// Owns the files inside one opened handoff directory. Every path goes through its descriptor; no link is followed.
// Synchronous, as the files are small; a large copy lets others run in between.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import { isErrno } from '../domain/system-error.ts'
import type { Growth } from './originals.ts'
import { usingFile } from './using-file.ts'
import { below, NEW_FILE, type OpenedView, removeIfThere, type ViewIdentity } from './view-directory.ts'

/** O_NONBLOCK: a FIFO in the file's place must not hold us up. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK
const COPY_BYTES = 256 * 1024

/** Files that only we write: they are put back whenever they differ from what we wrote. */
export const OURS = ['state.json', 'prompt.md', 'session.log'] as const
/** Files that are put back only when missing: output.log is repaired by its next line, and the agent writes result.json. */
export const SHARED = ['output.log', 'result.json'] as const
/** Files that are packed when they are large and the task is archived. */
export const LOGS = ['output.log', 'session.log'] as const
export const packedName = (name: string) => `${name}.gz`
/** The temporary name is fixed for each file, so that what a crash left is overwritten and does not pile up. */
const tempName = (name: string) => `.${name}.tmp`
const TEMPORARY = [...OURS, ...SHARED].map(tempName)
/** All we ever put into a handoff directory. */
export const VIEW_NAMES: readonly string[] = [...OURS, ...SHARED, ...TEMPORARY]

/** What a file looked like when we last wrote it. The change time cannot be set back by anybody. */
export type Stamp = { readonly ino: bigint; readonly size: bigint; readonly changed: bigint }
export type Stamps = Map<string, Stamp>

export class View {
  readonly dir: number
  readonly identity: ViewIdentity
  readonly #stamps: Stamps
  constructor({ dir, identity }: OpenedView, stamps: Stamps) {
    this.dir = dir
    this.identity = identity
    this.#stamps = stamps
  }

  path = (name: string) => below(this.dir, name)

  close = () => closeSync(this.dir)

  /** Replaces the file by a copy of its original. Does nothing when there is no original. */
  async copyIn(name: string, original: string): Promise<void> {
    this.#stamps.delete(name)
    const source = unlessMissing(() => openSync(original, 'r'))
    if (source === undefined) return
    try {
      await this.#replace(name, source)
    } finally {
      closeSync(source)
    }
  }

  /** Brings a log up to date: appends the new text if the file is as we left it, else copies the whole original. */
  async follow(name: string, original: string, { before }: Growth, text: string): Promise<void> {
    const last = this.#stamps.get(name)
    this.#stamps.delete(name)
    const now = last && last.size === BigInt(before) ? this.#append(name, last, text) : undefined
    if (now) this.#stamps.set(name, now)
    else await this.copyIn(name, original)
  }

  isAsWeLeftIt(name: string): boolean {
    const last = this.#stamps.get(name)
    const now = last && unlessMissing(() => lstatSync(this.path(name), { bigint: true }))
    return Boolean(now && isUntouched(last, now))
  }

  has(name: string): boolean {
    return unlessMissing(() => lstatSync(this.path(name))) !== undefined
  }

  /** Removes temporary files that a killed daemon left. */
  sweep(): void {
    for (const name of TEMPORARY) removeIfThere(this.path(name))
  }

  /** Replaces a log by a copy of its packed original. */
  async copyInPacked(name: string, packedOriginal: string): Promise<void> {
    if (!this.has(packedName(name))) await this.copyIn(packedName(name), packedOriginal)
    this.#stamps.delete(name)
    removeIfThere(this.path(name))
  }

  /** For a view that leaves the archive: its logs are unpacked again. */
  dropPacked(): void {
    for (const name of LOGS) removeIfThere(this.path(packedName(name)))
  }

  async #replace(name: string, source: number): Promise<void> {
    const temp = this.path(tempName(name))
    const target = openNew(temp)
    try {
      await copy(source, target)
      renameSync(temp, this.path(name))
      this.#stamps.set(name, stampOf(fstatSync(target, { bigint: true })))
    } catch (error) {
      removeIfThere(temp)
      throw error
    } finally {
      closeSync(target)
    }
  }

  /** Undefined when the file is no longer the one we wrote. */
  #append(name: string, last: Stamp, text: string): Stamp | undefined {
    const file = openToAppend(this.path(name))
    if (file === undefined) return undefined
    return usingFile(file, () => {
      if (!isUntouched(last, fstatSync(file, { bigint: true }))) return undefined
      writeFileSync(file, text)
      return stampOf(fstatSync(file, { bigint: true }))
    })
  }
}

const stampOf = ({ ino, size, ctimeNs }: BigIntStats): Stamp => ({ ino, size, changed: ctimeNs })

/** The very file we made, with one name, and nobody wrote to it since. */
const isUntouched = (last: Stamp, now: BigIntStats) =>
  now.isFile() &&
  now.nlink === 1n &&
  Number(now.uid) === process.geteuid?.() &&
  now.ino === last.ino &&
  now.size === last.size &&
  now.ctimeNs === last.changed

/** The name is fixed, so what a crash left there, or an agent put there, is removed; a link itself, never its target. */
function openNew(temp: string): number {
  try {
    return openSync(temp, NEW_FILE, 0o600)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    unlinkSync(temp)
    return openSync(temp, NEW_FILE, 0o600)
  }
}

function openToAppend(path: string): number | undefined {
  try {
    return openSync(path, APPEND)
  } catch {
    return undefined
  }
}

async function copy(source: number, target: number): Promise<void> {
  const buffer = Buffer.allocUnsafe(COPY_BYTES)
  for (;;) {
    const length = readSync(source, buffer, 0, COPY_BYTES, null)
    if (length > 0) writeFileSync(target, buffer.subarray(0, length))
    if (length < COPY_BYTES) return
    await pause()
  }
}

function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    return undefined
  }
}
