// Owns the files inside one opened handoff directory. Every path goes through its descriptor; nothing is followed.
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { tempName } from './disk.ts'
import { isErrno } from './errno.ts'
import type { Growth } from './originals.ts'
import { below, NEW_FILE, type OpenedView, type ViewIdentity } from './view-directory.ts'
import { withFile } from './with-file.ts'

/** O_NONBLOCK: a FIFO in the file's place must not hold us up. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK
const COPY_BYTES = 64 * 1024

/** Ours alone: put back whenever they differ from what we wrote. */
export const OURS = ['state.json', 'prompt.md', 'session.log'] as const
/** Put back only when missing: output.log heals at its next line, and result.json is the agent's to write. */
export const SHARED = ['output.log', 'result.json'] as const
const TEMPORARY = [...OURS, ...SHARED].map(tempName)
/** All we ever put into a handoff directory. */
export const VIEW_NAMES: readonly string[] = [...OURS, ...SHARED, ...TEMPORARY]

/** What a file looked like when we last wrote it. The change time cannot be set back by anybody. */
export type Stamp = { readonly ino: bigint; readonly size: bigint; readonly changed: bigint }
export type Stamps = Map<string, Stamp>

export class View {
  readonly dir: FileHandle
  readonly identity: ViewIdentity
  readonly #stamps: Stamps
  constructor({ dir, identity }: OpenedView, stamps: Stamps) {
    this.dir = dir
    this.identity = identity
    this.#stamps = stamps
  }

  path = (name: string) => below(this.dir, name)

  /** Puts a fresh copy of the original in the file's place. Without an original there is nothing to do. */
  async copyIn(name: string, original: string): Promise<void> {
    this.#stamps.delete(name)
    const source = await open(original).catch(unlessMissing)
    if (source) await withFile(Promise.resolve(source), () => this.#replace(name, source))
  }

  /** Brings a log up to its original: the new text alone where the file is as we left it, else all of it. */
  async follow(name: string, original: string, { before }: Growth, text: string): Promise<void> {
    const last = this.#stamps.get(name)
    this.#stamps.delete(name)
    const now = last && last.size === BigInt(before) ? await this.#append(name, last, text) : undefined
    if (now) this.#stamps.set(name, now)
    else await this.copyIn(name, original)
  }

  async isAsWeLeftIt(name: string): Promise<boolean> {
    const last = this.#stamps.get(name)
    const now = last && (await lstat(this.path(name), { bigint: true }).catch(unlessMissing))
    return Boolean(now && isUntouched(last, now))
  }

  async has(name: string): Promise<boolean> {
    return (await lstat(this.path(name)).catch(unlessMissing)) !== undefined
  }

  /** Removes what a killed daemon was about to put in place. */
  async sweep(): Promise<void> {
    await Promise.all(TEMPORARY.map((name) => unlink(this.path(name)).catch(() => {})))
  }

  async #replace(name: string, source: FileHandle): Promise<void> {
    const temp = this.path(tempName(name))
    await withFile(openNew(temp), async (target) => {
      try {
        await copy(source, target)
        await rename(temp, this.path(name))
      } catch (error) {
        await unlink(temp).catch(() => {})
        throw error
      }
      this.#stamps.set(name, stampOf(await target.stat({ bigint: true })))
    })
  }

  /** Undefined when the file is no longer the one we wrote. */
  async #append(name: string, last: Stamp, text: string): Promise<Stamp | undefined> {
    const file = await open(this.path(name), APPEND).catch(() => undefined)
    if (!file) return undefined
    return withFile(Promise.resolve(file), async () => {
      if (!isUntouched(last, await file.stat({ bigint: true }))) return undefined
      await file.appendFile(text)
      return stampOf(await file.stat({ bigint: true }))
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
async function openNew(temp: string): Promise<FileHandle> {
  try {
    return await open(temp, NEW_FILE, 0o600)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    await unlink(temp)
    return open(temp, NEW_FILE, 0o600)
  }
}

async function copy(source: FileHandle, target: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(COPY_BYTES)
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, COPY_BYTES, null)
    if (bytesRead > 0) await target.writeFile(buffer.subarray(0, bytesRead))
    if (bytesRead < COPY_BYTES) return
  }
}

const unlessMissing = (error: unknown) => {
  if (!isErrno(error, 'ENOENT')) throw error
  return undefined
}
