// Owns output that was not written by our logger: what libraries, Node and dying daemons print. It goes into the log as
// entries; otherwise it would be lost, or break the lines of the log.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import type { Log } from '../ports/log.ts'

const LONGEST = 16 * 1024

/** From now on, each write to stdout or stderr is one entry of the log. */
export function logStrayPrints(log: Log): void {
  for (const stream of [process.stdout, process.stderr])
    stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
      log.warn('unexpected output', { text: cut(Buffer.from(chunk as string).toString()) })
      const done = rest.find((one) => typeof one === 'function')
      if (done !== undefined) process.nextTick(done)
      return true
    }
  // Node's own listener does not print through these streams.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn('warning from Node', { name: warning.name, error: warning }))
}

/** What an earlier daemon, or Node when it crashed, wrote to stderr becomes one entry. Only for the daemon that holds the lock. */
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

/** The last line of a daemon that ended by itself: it is in the log already. */
const FATAL = '{"fatal":'

function readTail(file: number): string {
  const found = fstatSync(file)
  if (!found.isFile()) return ''
  const bytes = Buffer.alloc(Math.min(found.size, LONGEST))
  const read = readSync(file, bytes, 0, bytes.length, found.size - bytes.length)
  return bytes.subarray(0, read).toString()
}

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
