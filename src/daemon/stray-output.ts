// Owns what nobody meant for the log, and which is lost or breaks its lines otherwise: what libraries, Node and dying daemons print.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import type { Log } from '../ports/log.ts'

const LONGEST = 16 * 1024

/** From now on each print is one entry. */
export function logStrayPrints(log: Log): void {
  for (const stream of [process.stdout, process.stderr])
    stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
      log.warn('unexpected output', { text: cut(Buffer.from(chunk as string).toString()) })
      const done = rest.find((one) => typeof one === 'function')
      if (done !== undefined) process.nextTick(done)
      return true
    }
  // Node's own listener prints past these streams.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn('warning from Node', { name: warning.name, error: warning }))
}

/** What an earlier daemon, or Node in its death, could only write to stderr becomes one entry. For the lock's holder. */
export function logLastWords(path: string, log: Log): void {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const said = readTail(file)
        .split('\n')
        .filter((line) => line.trim() !== '' && !line.startsWith(FATAL))
      if (said.length > 0) log.error('an earlier daemon wrote to stderr', { text: cut(said.join('\n')) })
      ftruncateSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // Nothing was left there, or it cannot be read: no reason not to start.
  }
}

/** Its own last line, which is in the log already. */
const FATAL = '{"fatal":'

function readTail(file: number): string {
  const found = fstatSync(file)
  if (!found.isFile()) return ''
  const bytes = Buffer.alloc(Math.min(found.size, LONGEST))
  const read = readSync(file, bytes, 0, bytes.length, found.size - bytes.length)
  return bytes.subarray(0, read).toString()
}

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
