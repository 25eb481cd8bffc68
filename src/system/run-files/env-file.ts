// Owns the format in which an environment reaches the shim: NAME=value lines, newline and backslash escaped.
import { checkEnv } from '../../domain/run/env-entry.ts'

export function encodeEnv(env: Readonly<Record<string, string>>): string {
  checkEnv(env)
  return Object.entries(env)
    .map(([name, value]) => `${envLine(name, value)}\n`)
    .join('')
}

/** The name is not checked: for variables that we set ourselves. */
export const envLine = (name: string, value: string) =>
  `${name}=${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`
