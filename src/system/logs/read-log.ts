// Owns reading a log from some byte on, packed or not. A reader that stops in the middle leaves no file open.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { unless } from '../../domain/system-error.ts'

const CHUNK_BYTES = 256 * 1024
/** Neither a link nor a pipe put in the log's place can mislead or block us. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export async function* readLog(path: string, offset: number): AsyncGenerator<Uint8Array> {
  const plain = await openRegular(path)
  if (plain !== undefined) return yield* readPlain(plain, offset)
  const packed = await openRegular(`${path}.gz`)
  if (packed !== undefined) yield* readPacked(packed, offset)
}

/** How many bytes `readLog` would give from the beginning, as of now. */
export async function logSize(path: string): Promise<number> {
  const plain = await openRegular(path)
  if (plain !== undefined) return closing(plain, async () => (await plain.stat()).size)
  const packed = await openRegular(`${path}.gz`)
  return packed === undefined ? 0 : closing(packed, () => unpackedSize(packed))
}

/** The last four bytes of a packed file: the size modulo 4 GiB. Logs are cut long before that. */
async function unpackedSize(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4))
  return bytesRead === 4 ? buffer.readUInt32LE() : 0
}

async function closing<Value>(file: FileHandle, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } finally {
    await file.close()
  }
}

async function openRegular(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, FLAGS).catch(unless(undefined, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'))
  if (file === undefined || (await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

async function* readPlain(file: FileHandle, offset: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = offset; ; ) {
      const { size } = await file.stat()
      const buffer = Buffer.alloc(Math.max(0, Math.min(CHUNK_BYTES, size - at)))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

/** A packed log is unpacked from its beginning. Nothing is added to it any more. */
async function* readPacked(file: FileHandle, offset: number): AsyncGenerator<Uint8Array> {
  const chunks = pipeline(file.createReadStream({ autoClose: false }), createGunzip(), () => {})
  try {
    let skip = offset
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      if (skip < chunk.length) yield chunk.subarray(skip)
      skip = Math.max(0, skip - chunk.length)
    }
  } finally {
    await file.close()
  }
}
