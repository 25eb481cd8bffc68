// Owns who calls: the headers of every request, and whether the caller is a person or a run.
import { readFileSync, readlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isatty } from 'node:tty'
import { HoldfastError } from '../../domain/errors.ts'
import { VERSION } from '../../domain/names/version.ts'
import { HEADER_ACTOR, HEADER_RUN, HEADER_VERSION } from '../../protocol/headers.ts'

type Env = Readonly<Record<string, string | undefined>>

export function callerHeaders(env: Env): Record<string, string> {
  const headers = { [HEADER_VERSION]: VERSION, [HEADER_ACTOR]: headerSafe(actor(env)) }
  if (!env.HOLDFAST_RUN) return headers
  return { ...headers, [HEADER_RUN]: headerSafe(env.HOLDFAST_RUN), ...proof(env.HOLDFAST_TOKEN_FILE) }
}

/** Read for every call: the daemon renews the file. A run of an older version has none, and is only named. */
function proof(file: string | undefined): Record<string, string> {
  if (!file) return {}
  try {
    return { authorization: `Bearer ${headerSafe(readFileSync(file, 'utf8').trim(), LONGEST_TOKEN)}` }
  } catch (cause) {
    throw new HoldfastError('TOKEN_INVALID', `The token file of this run cannot be read: ${file}`, { cause })
  }
}
const LONGEST_TOKEN = 4096

/** True outside a run: the caller is a person, or a script of theirs. */
export const isPerson = (env: Env) => !env.HOLDFAST_RUN

/** `user@pts/3`, or `user` without a terminal. */
function actor(env: Env): string {
  const tty = isatty(0) ? terminalName() : undefined
  return tty === undefined ? userName(env) : `${userName(env)}@${tty}`
}

export function userName(env: Env): string {
  try {
    return userInfo().username
  } catch {
    return env.USER || `uid-${process.getuid?.() ?? 'unknown'}`
  }
}

function terminalName(): string | undefined {
  try {
    return readlinkSync('/proc/self/fd/0').replace(/^\/dev\//, '')
  } catch {
    return undefined
  }
}

/** HTTP headers are ASCII; anything else would throw far from here. */
const headerSafe = (value: string, most = 200) => value.replace(/[^\x20-\x7e]/g, '?').slice(0, most)
