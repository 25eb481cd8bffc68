// Owns the checks that only read files. The files were written by an agent: none may hold us up or fill our memory.
import { messageOf } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { firstLine } from '../../domain/text/first-line.ts'
import type { Check } from '../../domain/verify/contract.ts'
import { NotAFile, textOf, withFileBelow } from './file-below.ts'
import { schemaFailures } from './json-schema.ts'
import { statusInText } from './status-in-text.ts'
import { TookTooLong, withinTime } from './within-time.ts'

export type FilesCheck = Exclude<Check, { kind: 'command' }>
type CheckOf<K extends Check['kind']> = Extract<Check, { kind: K }>

const MB = 1024 * 1024
const LARGEST_TEXT_BYTES = 10 * MB
const LARGEST_STATUS_BYTES = MB
/** The event loop waits during a check. */
const LONGEST_CHECK_MS = 1000

/** Why the check fails; null when it passes. */
export function checkFiles(check: FilesCheck, dir: string, result: string | undefined): string | null {
  try {
    if (check.kind === 'file') return checkFile(check, dir)
    return check.kind === 'schema' ? checkSchema(check, dir, result) : checkStatus(check, dir)
  } catch (error) {
    if (error instanceof NotAFile) return error.message
    if (error instanceof TookTooLong) return `could not be checked within ${LONGEST_CHECK_MS} ms`
    return `could not be checked: ${printable(firstLine(messageOf(error)), 200)}`
  }
}

const checkFile = ({ path, matches, minBytes }: CheckOf<'file'>, dir: string) =>
  withFileBelow(dir, path, (open) => {
    if (open.stat.size < minBytes) return `has ${open.stat.size} bytes, not at least ${minBytes}`
    if (matches === null) return null
    const text = textOf(open, LARGEST_TEXT_BYTES)
    return withinTime(LONGEST_CHECK_MS, () => new RegExp(matches, 'm').test(text))
      ? null
      : `does not match /${printable(matches)}/`
  })

function checkSchema(
  { path, schema }: CheckOf<'schema'>,
  dir: string,
  result: string | undefined,
): string | null {
  const text = path === null ? result : withFileBelow(dir, path, (open) => textOf(open, LARGEST_TEXT_BYTES))
  if (text === undefined) return 'there is no result.json'
  const value = parsed(text)
  if (value === undefined) return 'is not JSON'
  const failures = withinTime(LONGEST_CHECK_MS, () => schemaFailures(schema, value.json))
  return failures.length === 0 ? null : printable(failures.join('; '), 500)
}

function parsed(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function checkStatus({ path, key, oneOf }: CheckOf<'status'>, dir: string): string | null {
  const text = withFileBelow(dir, path, (open) => textOf(open, LARGEST_STATUS_BYTES))
  const found = withinTime(LONGEST_CHECK_MS, () => statusInText(text, path, key))
  const name = printable(key.join('.'))
  if (found === undefined) return `has no '${name}'`
  if (oneOf.some((one) => one.toLowerCase() === found.trim().toLowerCase())) return null
  return `'${name}' is '${printable(found)}', not ${oneOf.map((one) => `'${printable(one)}'`).join(' or ')}`
}
