import { HoldfastError } from '../errors.ts'
import { spokenText } from './spoken-text.ts'

const DEFAULT_PROMPT_BYTES = 1024 * 1024

/** Bytes become a prompt here: UTF-8 text, not empty, not too large. Control bytes and metacharacters are legal, if they are not all; NUL is not. */
export function checkPrompt(bytes: Uint8Array, mostBytes = DEFAULT_PROMPT_BYTES): string {
  if (bytes.byteLength > mostBytes)
    throw new HoldfastError('PROMPT_TOO_LARGE', `The prompt is longer than ${mostBytes} bytes.`)
  const text = decode(bytes)
  if (text.includes('\0')) throw new HoldfastError('PROMPT_NOT_TEXT', 'The prompt contains NUL bytes.')
  if (spokenText(text) === '') throw new HoldfastError('PROMPT_EMPTY', 'The prompt is empty.')
  return text
}

/** A byte order mark is not part of the text. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new HoldfastError('PROMPT_NOT_TEXT', 'The prompt is not valid UTF-8.', { cause })
  }
}
