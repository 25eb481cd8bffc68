// Owns what a contract may contain: the checks that a task's work has to pass before the task counts as completed.
import { BadSetting } from '../bad-setting.ts'
import { HoldfastError, messageOf } from '../errors.ts'
import { printable } from '../names/names.ts'
import { nearest } from '../names/nearest.ts'
import { asciiJson } from '../text/ascii-json.ts'
import { durationOf } from '../text/duration.ts'
import { splitCommand } from '../text/split-command.ts'

/** Paths are relative to the directory that is verified, and cannot lead out of it. */
export type Check =
  | {
      readonly kind: 'file'
      readonly path: string
      readonly matches: string | null
      readonly minBytes: number
    }
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly timeoutMs: number }
  /** `path`: null for a check of the task's result. */
  | { readonly kind: 'schema'; readonly path: string | null; readonly schema: JsonSchema }
  | {
      readonly kind: 'status'
      readonly path: string
      readonly key: readonly string[]
      readonly oneOf: readonly string[]
    }
export type VerifyContract = { readonly checks: readonly Check[] }
export type JsonSchema = Readonly<Record<string, unknown>>

/** Of a verification that failed, so many failures are kept in words. */
export const MOST_FAILURES_KEPT = 20

const COMMAND_TIMEOUT_MS = 10 * 60_000
const LONGEST_TIMEOUT_MS = 24 * 3_600_000
const MOST_CHECKS = 50
const MOST_WORDS = 500
const LONGEST_PATH = 1000
const LONGEST_PATTERN = 500
const LARGEST_SCHEMA_BYTES = 64 * 1024

type Raw = Readonly<Record<string, unknown>>

/** What is wrong with a field. */
class Wrong extends Error {}

/** How each kind of check is written. The kind itself is a required key; `more` are the other keys it may have. */
const kinds: Readonly<Record<Check['kind'], { more: readonly string[]; read: (raw: Raw) => Check }>> = {
  file: {
    more: ['matches', 'min_size'],
    read: (raw) => ({
      kind: 'file',
      path: field(raw, 'file', pathOf),
      matches: optional(raw, 'matches', patternOf) ?? null,
      minBytes: optional(raw, 'min_size', sizeOf) ?? 0,
    }),
  },
  command: {
    more: ['timeout'],
    read: (raw) => ({
      kind: 'command',
      argv: field(raw, 'command', argvOf),
      timeoutMs: optional(raw, 'timeout', timeoutOf) ?? COMMAND_TIMEOUT_MS,
    }),
  },
  schema: {
    more: ['of'],
    read: (raw) => ({
      kind: 'schema',
      path: optional(raw, 'of', pathOf) ?? null,
      schema: field(raw, 'schema', schemaOf),
    }),
  },
  status: {
    more: ['key', 'is'],
    read: (raw) => ({
      kind: 'status',
      path: field(raw, 'status', statusPathOf),
      key: optional(raw, 'key', keyOf) ?? ['status'],
      oneOf: field(raw, 'is', valuesOf),
    }),
  },
}
const KINDS = Object.keys(kinds) as Check['kind'][]

/** Takes a list of checks, or a map with `checks`. `where` names the file in errors (VERIFY_INVALID). */
export function parseContract(raw: unknown, where = 'the contract'): VerifyContract {
  const list = isMap(raw) && Object.keys(raw).every((key) => key === 'checks') ? raw.checks : raw
  if (!Array.isArray(list) || list.length === 0)
    throw invalid(where, "must be a list of checks, or a map with 'checks'")
  if (list.length > MOST_CHECKS) throw invalid(where, `has more than ${MOST_CHECKS} checks`)
  return { checks: list.map((one, at) => readCheck(one, `${where}: check ${at + 1}`)) }
}

/** For a contract in the config: throws BadSetting instead of VERIFY_INVALID. */
export function readContractSetting(raw: unknown): VerifyContract {
  try {
    return parseContract(raw, '')
  } catch (error) {
    throw new BadSetting(
      messageOf(error)
        .replace(/^: |\.$/g, '')
        .trim(),
    )
  }
}

/** A contract with the checks of both: all of them have to pass. */
export const bothContracts = (one: VerifyContract | null, other: VerifyContract): VerifyContract => ({
  checks: [...(one?.checks ?? []), ...other.checks],
})

export const runsCommands = ({ checks }: VerifyContract) => checks.some(({ kind }) => kind === 'command')

/** Every command that a person approves with the contract, exactly as it runs. */
export const commandLines = ({ checks }: VerifyContract): string[] =>
  checks.flatMap((check) => (check.kind === 'command' ? [`verify runs ${asciiJson(check.argv)}`] : []))

/** A check in a few words. */
export function checkText(check: Check): string {
  if (check.kind === 'command') return printable(`command ${check.argv.join(' ')}`, 200)
  return printable(`${check.kind} ${check.path ?? 'of the result'}`, 200)
}

function readCheck(raw: unknown, where: string): Check {
  if (!isMap(raw)) throw invalid(where, `must be a map with one of ${KINDS.join(', ')}`)
  const named = KINDS.filter((kind) => Object.hasOwn(raw, kind))
  const [kind] = named
  if (kind === undefined || named.length > 1) throw invalid(where, `needs exactly one of ${KINDS.join(', ')}`)
  const { more, read } = kinds[kind]
  const unknownKey = Object.keys(raw).find((key) => key !== kind && !more.includes(key))
  if (unknownKey !== undefined)
    throw invalid(where, `a ${kind} check has no '${printable(unknownKey)}'${guess(unknownKey, more)}`)
  try {
    return read(raw)
  } catch (error) {
    throw error instanceof Wrong ? invalid(where, error.message) : error
  }
}

const invalid = (where: string, why: string) =>
  new HoldfastError('VERIFY_INVALID', `${printable(where, 300)} ${why}.`)
const guess = (word: string, known: readonly string[]) => {
  const near = nearest(word.slice(0, 80), known)
  return near === undefined ? '' : `; did you mean '${near}'?`
}

function field<T>(raw: Raw, name: string, read: (value: unknown) => T): T {
  try {
    return read(raw[name])
  } catch (error) {
    throw new Wrong(`'${name}' ${messageOf(error)}`)
  }
}
const optional = <T>(raw: Raw, name: string, read: (value: unknown) => T): T | undefined =>
  raw[name] === undefined ? undefined : field(raw, name, read)

/** A relative path that does not lead upwards. `.` and empty parts are removed. */
function pathOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST_PATH || /\p{Cc}/u.test(value))
    throw new Wrong('must be a path')
  const steps = value.split('/')
  if (value.startsWith('/') || steps.includes('..'))
    throw new Wrong("must be a relative path without '..': only the task's own directory is looked at")
  const kept = steps.filter((step) => step !== '' && step !== '.')
  if (kept.length === 0) throw new Wrong('must be a path')
  return kept.join('/')
}

const STATUS_FILE = /\.(ya?ml|json|md|markdown)$/i

function statusPathOf(value: unknown): string {
  const path = pathOf(value)
  if (!STATUS_FILE.test(path)) throw new Wrong('must be a .yaml, .json or .md file')
  return path
}

function patternOf(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_PATTERN)
    throw new Wrong(`must be a regular expression of at most ${LONGEST_PATTERN} characters`)
  try {
    new RegExp(value, 'm')
  } catch (error) {
    throw new Wrong(`is not a regular expression: ${printable(messageOf(error), 200)}`)
  }
  return value
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Wrong('must be a whole number of bytes')
  return value
}

/** A list is used as the argv; a text is split like a command line. */
function argvOf(value: unknown): readonly string[] {
  const argv = typeof value === 'string' ? splitCommand(value) : value
  if (!Array.isArray(argv) || argv.length === 0 || argv.length > MOST_WORDS)
    throw new Wrong('must be a command line, or a list of its words')
  if (!argv.every((word) => typeof word === 'string' && !word.includes('\0')))
    throw new Wrong('must be a list of texts; put numbers in quotes')
  if (argv[0] === '' || argv[0].startsWith('-')) throw new Wrong('must begin with a program')
  return argv
}

function timeoutOf(value: unknown): number {
  const ms = spanOf(value)
  if (ms === null || ms < 1 || ms > LONGEST_TIMEOUT_MS)
    throw new Wrong('must be a duration such as 90s or 10m, at most 24h')
  return ms
}

function spanOf(value: unknown): number | null {
  try {
    return durationOf(value)
  } catch {
    return null
  }
}

function schemaOf(value: unknown): JsonSchema {
  if (!isMap(value)) throw new Wrong('must be a JSON schema')
  if (Buffer.byteLength(JSON.stringify(value)) > LARGEST_SCHEMA_BYTES) throw new Wrong('is larger than 64 KB')
  return value
}

/** `a.b.0`, or a list for keys that contain dots. */
function keyOf(value: unknown): readonly string[] {
  const steps = typeof value === 'string' ? value.split('.') : value
  if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isScalar))
    throw new Wrong('must be a key such as a.b, or a list of keys')
  const names = steps.map(String)
  if (names.includes('')) throw new Wrong('has an empty part')
  return names
}

function valuesOf(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value]
  if (values.length === 0 || !values.every(isScalar)) throw new Wrong('must be a value, or a list of values')
  return values.map(String)
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
const isMap = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
