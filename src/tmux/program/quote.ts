// Owns turning words into one control-mode line that tmux reads back byte for byte.
import { HoldfastError } from '../../domain/errors.ts'

/** What means nothing to tmux inside double quotes. Everything else is written in octal. */
const NOT_PLAIN = /[^A-Za-z0-9 _%@.,:=/+-]/g

/** One argument, safe also when it holds quotes, `;`, `#`, `$`, newlines or any UTF-8. */
export function quote(word: string): string {
  if (word.includes('\0')) throw new HoldfastError('INVALID_REQUEST', 'An argument cannot hold a NUL byte.')
  return `"${Buffer.from(word).toString('latin1').replace(NOT_PLAIN, octal)}"`
}

/** Several commands in one line: tmux runs them in one go, and none after one that fails. */
export const commandLine = (...commands: (readonly string[])[]) =>
  commands.map((argv) => argv.map(quote).join(' ')).join(' ; ')

const octal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
