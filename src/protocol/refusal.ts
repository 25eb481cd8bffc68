// Owns the words for a request of the wrong shape: which field is wrong, and what it may be. Pure.
import type * as z from 'zod/mini'
import { printable } from '../domain/names/names.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** One sentence on the first thing that is wrong. `asked` is the whole request. */
export const refusal = ([first]: readonly Issue[], asked: unknown): string =>
  first === undefined ? 'The request is not valid.' : sentence(first, asked, [])

function sentence(issue: Issue, asked: unknown, within: Path): string {
  const path = [...within, ...issue.path]
  const field = nameOf(path)
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(path, asked) === undefined && path.length > 0
        ? `${field} is missing: it must be ${KINDS[issue.expected] ?? issue.expected}.`
        : `${field} must be ${KINDS[issue.expected] ?? issue.expected}, not ${kindOf(valueAt(path, asked))}.`
    case 'invalid_value':
      return `${field} must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}.`
    case 'too_small':
      return `${field} must ${amount(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}.`
    case 'too_big':
      return `${field} must ${amount(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}.`
    case 'invalid_format':
      return 'prefix' in issue
        ? `${field} must begin with '${issue.prefix}'.`
        : `${field} has not the right form.`
    case 'unrecognized_keys':
      return `${field} has ${issue.keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${listed(issue.keys)}.`
    case 'invalid_key':
      return `A name in ${nameOf(path.slice(0, -1))} is not valid: ${onName(issue.issues, path.at(-1))}`
    case 'invalid_union':
      return ofSeveral(issue, asked, path)
    default:
      return `${field} is not valid.`
  }
}

const onName = (issues: readonly Issue[], name: unknown) => refusal(issues, name).replace('The request', 'it')

/** The request may have one of several shapes: the one that was meant is the one that has all its own fields, also where something is missing inside one of them. */
function ofSeveral(issue: z.core.$ZodIssueInvalidUnion, asked: unknown, path: Path): string {
  const isMissing = (one: Issue) =>
    one.path.length === 1 && valueAt([...path, ...one.path], asked) === undefined
  const meant = issue.errors.filter((issues) => !issues.some(isMissing))
  const [only, ...others] = meant
  if (only === undefined) {
    const missing = issue.errors.flatMap((issues) =>
      issues.filter(isMissing).map((one) => one.path.join('.')),
    )
    return `${nameOf(path)} must have one of these fields: ${listed(missing)}.`
  }
  const unknown = meant.map((issues) =>
    issues.flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : [])),
  )
  const unknownToAll = unknown[0]?.filter((key) => unknown.every((keys) => keys.includes(key))) ?? []
  if (others.length > 0 && unknown.every((keys) => keys.length > 0) && unknownToAll.length === 0)
    return `${nameOf(path)} may have only one of these fields: ${listed([...new Set(unknown.flat())])}.`
  return only[0] === undefined ? `${nameOf(path)} is not valid.` : sentence(only[0], asked, path)
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' && !Number.isInteger(value)) return String(value)
  return typeof value === 'boolean' ? String(value) : (KINDS[typeof value] ?? typeof value)
}

/** Of a string or a list its length, of a number its size. */
function amount(
  { origin, exact }: { readonly origin: string; readonly exact?: boolean },
  bound: string,
  limit: number | bigint,
): string {
  const how = exact === true ? 'exactly' : bound
  const counted = COUNTED[origin]
  return counted === undefined
    ? `be ${how} ${limit}`
    : `have ${how} ${limit} ${limit === 1 ? counted.one : counted.many}`
}

const COUNTED: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  string: { one: 'character', many: 'characters' },
  array: { one: 'entry', many: 'entries' },
}

const valueAt = (path: Path, asked: unknown) =>
  path.reduce<unknown>((value, key) => (Object(value) as Record<PropertyKey, unknown>)[key], asked)

const nameOf = (path: Path) => (path.length === 0 ? 'The request' : `'${printable(path.join('.'))}'`)

/** More than a few names would bury the message. */
const MOST_LISTED = 5

const listed = (names: readonly string[]) =>
  names
    .slice(0, MOST_LISTED)
    .map((name) => `'${printable(name)}'`)
    .join(', ') + (names.length > MOST_LISTED ? ', …' : '')
