import { HoldfastError } from '../errors.ts'
import { spokenText } from './spoken-text.ts'

const DEFAULT_PROMPT_BYTES = 1024 * 1024

/**
 * Turns bytes into a prompt: UTF-8 text, not empty, not too large, without NUL. Other control characters are allowed,
 * but a prompt that consists of them alone counts as empty.
 */
export function checkPrompt(bytes: Uint8Array, mostBytes = DEFAULT_PROMPT_BYTES): string {
  if (bytes.byteLength > mostBytes)
    throw new HoldfastError('PROMPT_TOO_LARGE', `The prompt is longer than ${mostBytes} bytes.`)
  const text = decode(bytes)
  if (text.includes('\0')) throw new HoldfastError('PROMPT_NOT_TEXT', 'The prompt contains NUL bytes.')
  if (spokenText(text) === '') throw new HoldfastError('PROMPT_EMPTY', 'The prompt is empty.')
  return text
}

/** The decoder leaves out a byte order mark. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new HoldfastError('PROMPT_NOT_TEXT', 'The prompt is not valid UTF-8.', { cause })
  }
}
