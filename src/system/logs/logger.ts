// Owns daemon.log: one JSON object per line, one rotated file kept.
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { Log } from '../../ports/log.ts'

type Level = keyof Log
type Fields = Readonly<Record<string, unknown>>

const MOST_BYTES = 10 * 1024 * 1024

/** Never throws: a full disk must not stop the daemon. Written at once, so that kill -9 loses no line. */
export function openLog(path: string, { now = Date.now, mostBytes = MOST_BYTES } = {}): Log {
  const write = (level: Level) => (message: string, fields?: Fields) => {
    try {
      if (sizeOf(path) >= mostBytes) renameSync(path, `${path}.1`)
      appendFileSync(path, `${logLine(now(), level, message, fields)}\n`, { mode: 0o600 })
    } catch {
      // There is no other place to report it.
    }
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function logLine(atMs: number, level: Level, msg: string, fields: Fields = {}): string {
  const head = { at: new Date(atMs).toISOString(), level, msg }
  try {
    return JSON.stringify({ ...fields, ...head }, asLogValue)
  } catch {
    return JSON.stringify({ ...head, fields: 'not serialisable' })
  }
}

/** For JSON.stringify: errors with their message and stack, texts without secrets. */
function asLogValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return redactSecrets(value)
  if (!(value instanceof Error)) return value
  return { ...value, message: value.message, stack: value.stack, cause: value.cause }
}
