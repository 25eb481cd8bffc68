// Owns who calls: the headers of every request, and whether the caller is a person or a run.
import { readlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isatty } from 'node:tty'
import { VERSION } from '../../domain/names/version.ts'
import { HEADER_ACTOR, HEADER_RUN, HEADER_VERSION } from '../../protocol/api.ts'

type Env = Readonly<Record<string, string | undefined>>

export function callerHeaders(env: Env): Record<string, string> {
  const headers = { [HEADER_VERSION]: VERSION, [HEADER_ACTOR]: headerSafe(actor(env)) }
  return env.HOLDFAST_RUN ? { ...headers, [HEADER_RUN]: headerSafe(env.HOLDFAST_RUN) } : headers
}

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
const headerSafe = (value: string) => value.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)
