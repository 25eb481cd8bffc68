// Owns writing arguments as one control-mode line, from which tmux reads them byte for byte.
import { HoldfastError } from '../../domain/errors.ts'

/** Characters that are not plain text for tmux inside double quotes. They are written in octal. */
const NOT_PLAIN = /[^A-Za-z0-9 _%@.,:=/+-]/g

/** One argument, safe also when it holds quotes, `;`, `#`, `$`, newlines or any UTF-8. */
export function quote(word: string): string {
  if (word.includes('\0')) throw new HoldfastError('INVALID_REQUEST', 'An argument cannot hold a NUL byte.')
  return `"${Buffer.from(word).toString('latin1').replace(NOT_PLAIN, octal)}"`
}

/** Several commands in one line: tmux runs them without a pause, and stops at the first one that fails. */
export const commandLine = (...commands: (readonly string[])[]) =>
  commands.map((argv) => argv.map(quote).join(' ')).join(' ; ')

const octal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
