// Owns reading lines as they come: from a stream until its end, from a file without end. Only LF ends a line.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

const LOOK_EVERY_MS = 100
const MOST_AT_ONCE = 1024 * 1024

/** A last line without its LF was cut off, and is dropped. */
export async function readLines(stream: Readable, take: (line: string) => void): Promise<void> {
  const feed = splitter(take)
  for await (const bytes of stream) feed(bytes)
}

/** Takes each line once, from the beginning; the file may not exist yet. The returned function stops it. */
export function followFile(path: string, take: (line: string) => void): () => void {
  const feed = splitter(take)
  const buffer = Buffer.alloc(MOST_AT_ONCE)
  let offset = 0
  const looking = setInterval(() => {
    for (const bytes of newBytes()) feed(bytes)
  }, LOOK_EVERY_MS)
  return () => clearInterval(looking)

  function* newBytes() {
    const file = openIfThere(path)
    if (file === undefined) return
    try {
      while (offset < fstatSync(file).size) {
        const size = readSync(file, buffer, 0, buffer.length, offset)
        if (size === 0) return
        offset += size
        yield buffer.subarray(0, size)
      }
    } finally {
      closeSync(file)
    }
  }
}

function splitter(take: (line: string) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (bytes) => {
    const lines = decoder.write(bytes).split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
