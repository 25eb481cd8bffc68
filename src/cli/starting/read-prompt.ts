// Owns reading a prompt from a file or stdin: as bytes, and not more than any setting allows.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { checkPrompt } from '../../domain/conversation/check-prompt.ts'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { isErrno } from '../../domain/system-error.ts'
import { bytesAtMost } from './bytes-at-most.ts'

/** The most that `prompt.maxBytes` can be set to; the daemon knows the real limit. */
const MOST_BYTES = 16 * 1024 * 1024

export async function promptFromFile(path: string, asGiven: string): Promise<string> {
  return checkPrompt(await bytesOf(createReadStream(path), asGiven), MOST_BYTES)
}

export async function promptFromStdin(): Promise<string> {
  return checkPrompt(await bytesOf(process.stdin, 'stdin'), MOST_BYTES)
}

/** Words of the command line are checked, too: they may be too long or contain a NUL. */
export const promptFromWords = (words: readonly string[]) =>
  checkPrompt(Buffer.from(words.join(' ')), MOST_BYTES)

const bytesOf = (stream: Readable, name: string): Promise<Buffer> =>
  bytesAtMost(MOST_BYTES, stream).catch((error) => {
    throw unreadable(error, name)
  })

function unreadable(cause: unknown, name: string): HoldfastError {
  if (isErrno(cause, 'ENOENT', 'ENOTDIR'))
    return new HoldfastError('PROMPT_NOT_FOUND', `Task prompt file not found: ${name}`, { cause })
  return new HoldfastError(
    'PROMPT_NOT_FOUND',
    `Task prompt file cannot be read: ${name} (${messageOf(cause)})`,
    {
      cause,
    },
  )
}
