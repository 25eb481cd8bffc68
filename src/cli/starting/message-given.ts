// Owns where a message comes from: words, a file, or stdin.
import { createReadStream } from 'node:fs'
import { isatty } from 'node:tty'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { checkMessageText, MESSAGE_MAX_BYTES } from '../../domain/thread/check-message.ts'
import type { Context } from '../context.ts'
import { bytesAtMost } from './bytes-at-most.ts'

export type MessageSource = { readonly words: readonly string[]; readonly file: string | undefined }

export async function messageGiven({ words, file }: MessageSource, context: Context): Promise<string> {
  if (file !== undefined && words.length > 0)
    throw new HoldfastError('USAGE', 'Give the message as words or with --file, not both.')
  if (file !== undefined && file !== '-')
    return textFrom(createReadStream(context.path(file)), (why) => `The file ${file} cannot be read: ${why}`)
  if (words.length > 0 && words.join(' ') !== '-') return checkMessageText(words.join(' '))
  if (words.length === 0 && file === undefined && isatty(0))
    throw new HoldfastError(
      'USAGE',
      'No message: write it after the thread, give a file with --file, or pipe it in.',
    )
  return textFrom(process.stdin, (why) => `stdin cannot be read: ${why}`)
}

/** Not more is read than a message may have. */
async function textFrom(stream: AsyncIterable<Buffer>, failed: (why: string) => string): Promise<string> {
  const bytes = await bytesAtMost(MESSAGE_MAX_BYTES, stream).catch((cause) => {
    throw new HoldfastError('USAGE', failed(messageOf(cause)), { cause })
  })
  return checkMessageText(decode(bytes, bytes.length > MESSAGE_MAX_BYTES))
}

/** What is cut off may end in the middle of a character; it is too long in any case. */
function decode(bytes: Buffer, isCut: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isCut }).decode(bytes)
  } catch (cause) {
    throw new HoldfastError('MESSAGE_NOT_TEXT', 'The message is not valid UTF-8.', { cause })
  }
}
