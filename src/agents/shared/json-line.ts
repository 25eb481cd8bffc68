// Owns how a line of an agent's event stream becomes fields and texts that can be stored. Nothing in it is trusted.
import { printable } from '../../domain/names/names.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'

/** Long enough for any real message, short enough that one line cannot fill the store. */
export const MOST_TEXT = 1_000_000
export const MOST_DETAIL = 4000
export const MOST_NAME = 200

export type Fields = Readonly<Record<string, unknown>>

/** The JSON object of the line; no fields when it is none. The first character is tested first, because parse errors are slow. */
export function fieldsOf(line: string): Fields {
  if (line[0] !== '{' && !/^\s*\{/.test(line)) return {}
  try {
    return asFields(JSON.parse(line))
  } catch {
    return {}
  }
}

/** No fields for anything that is not an object. */
export const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isAmount = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0

/** At most `most` characters, without half a character at the end, and without NUL, which PostgreSQL cannot store. */
export function short(text: string, most: number): string {
  const kept = text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
  return kept.includes('\0') ? kept.replaceAll('\0', '\ufffd') : kept
}

/** The arguments or the answer of a tool: a text as it is, anything else as JSON on one line. */
export const asDetail = (value: unknown): string =>
  short(isText(value) ? value : (JSON.stringify(value) ?? ''), MOST_DETAIL)

/** The file that a tool changes, if it is named. */
export const fileOf = (path: unknown): { readonly file?: string } =>
  isText(path) && path !== '' ? { file: short(path, MOST_DETAIL) } : {}

export const unknownLine = (line: string): AgentSays => ({
  kind: 'unknown',
  line: printable(line.slice(0, MOST_NAME + 1), MOST_NAME),
})
