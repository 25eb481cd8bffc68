// Owns JSON Schema as far as contracts may use it: the keywords below, with the meaning of draft 2020-12.
// What is not known is refused when the contract is accepted, so that nothing is passed over in silence.
import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '../../domain/verify-contract.ts'

type Value = unknown
/** `fail` tells what is wrong with the value itself, `within` looks at a part of it. */
type Look = {
  readonly fail: (why: string) => void
  readonly within: (step: string | number, value: Value, schema: Value) => void
  readonly passes: (value: Value, schema: Value) => boolean
  readonly schema: JsonSchema
}
type Keyword = {
  /** What its own value must be. */
  readonly takes: 'schema' | 'schemas' | 'map' | 'number' | 'text' | 'pattern' | 'any'
  readonly look: (given: never, value: Value, look: Look) => void
}

const MOST_FAILURES = 10
const DEEPEST = 100
const ANNOTATIONS = new Set(
  '$schema $id $comment $defs definitions title description default examples format deprecated readOnly writeOnly'.split(
    ' ',
  ),
)

const isMap = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const keys = (value: Value) => (isMap(value) ? Object.keys(value) : [])
const count = (value: Value) => (typeof value === 'string' ? [...value].length : undefined)

const typeOf = (value: Value) =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'object'
        ? 'object'
        : typeof value
const isType = (value: Value, type: Value) =>
  type === typeOf(value) || (type === 'integer' && Number.isInteger(value))

const number = (holds: (value: number, given: number) => boolean, words: string): Keyword => ({
  takes: 'number',
  look(given: number, value, { fail }) {
    if (typeof value === 'number' && !holds(value, given)) fail(`must be ${words} ${given}`)
  },
})
const size = (
  of: (value: Value) => number | undefined,
  holds: 'at least' | 'at most',
  what: string,
): Keyword => ({
  takes: 'number',
  look(given: number, value, { fail }) {
    const n = of(value)
    if (n !== undefined && (holds === 'at least' ? n < given : n > given))
      fail(`must have ${holds} ${given} ${what}`)
  },
})
const length = (value: Value) => (Array.isArray(value) ? value.length : undefined)
const properties = (value: Value) => (isMap(value) ? keys(value).length : undefined)

const keywords: Readonly<Record<string, Keyword>> = {
  type: {
    takes: 'any',
    look(given: Value, value, { fail }) {
      const types = Array.isArray(given) ? given : [given]
      if (!types.some((type) => isType(value, type)))
        fail(`must be ${types.join(' or ')}, and is ${typeOf(value)}`)
    },
  },
  enum: {
    takes: 'any',
    look(given: readonly Value[], value, { fail }) {
      if (!given.some((one) => isDeepStrictEqual(one, value)))
        fail(`must be one of ${JSON.stringify(given).slice(0, 200)}`)
    },
  },
  const: {
    takes: 'any',
    look(given: Value, value, { fail }) {
      if (!isDeepStrictEqual(given, value)) fail(`must be ${JSON.stringify(given).slice(0, 200)}`)
    },
  },
  required: {
    takes: 'any',
    look(given: readonly string[], value, { fail }) {
      if (!isMap(value)) return
      for (const name of given) if (!Object.hasOwn(value, name)) fail(`must have '${name}'`)
    },
  },
  properties: {
    takes: 'map',
    look(given: Record<string, Value>, value, { within }) {
      if (!isMap(value)) return
      for (const name of keys(given)) if (Object.hasOwn(value, name)) within(name, value[name], given[name])
    },
  },
  additionalProperties: {
    takes: 'schema',
    look(given: Value, value, { within, schema }) {
      if (!isMap(value)) return
      const known = keys(schema.properties)
      for (const name of keys(value)) if (!known.includes(name)) within(name, value[name], given)
    },
  },
  items: {
    takes: 'schema',
    look(given: Value, value, { within }) {
      for (const [at, one] of Array.isArray(value) ? value.entries() : []) within(at, one, given)
    },
  },
  uniqueItems: {
    takes: 'any',
    look(given: Value, value, { fail }) {
      if (given !== true || !Array.isArray(value)) return
      if (new Set(value.map((one) => JSON.stringify(one))).size < value.length)
        fail('must not repeat an item')
    },
  },
  pattern: {
    takes: 'pattern',
    look(given: string, value, { fail }) {
      if (typeof value === 'string' && !new RegExp(given, 'u').test(value)) fail(`must match ${given}`)
    },
  },
  minLength: size(count, 'at least', 'characters'),
  maxLength: size(count, 'at most', 'characters'),
  minItems: size(length, 'at least', 'items'),
  maxItems: size(length, 'at most', 'items'),
  minProperties: size(properties, 'at least', 'properties'),
  maxProperties: size(properties, 'at most', 'properties'),
  minimum: number((value, given) => value >= given, 'at least'),
  maximum: number((value, given) => value <= given, 'at most'),
  exclusiveMinimum: number((value, given) => value > given, 'more than'),
  exclusiveMaximum: number((value, given) => value < given, 'less than'),
  allOf: {
    takes: 'schemas',
    look(given: readonly Value[], value, { within }) {
      for (const one of given) within('', value, one)
    },
  },
  anyOf: {
    takes: 'schemas',
    look(given: readonly Value[], value, { fail, passes }) {
      if (!given.some((one) => passes(value, one))) fail('must be as one of anyOf says')
    },
  },
  oneOf: {
    takes: 'schemas',
    look(given: readonly Value[], value, { fail, passes }) {
      const fit = given.filter((one) => passes(value, one)).length
      if (fit !== 1) fail(`must be as exactly one of oneOf says, and is as ${fit} say`)
    },
  },
  not: {
    takes: 'schema',
    look(given: Value, value, { fail, passes }) {
      if (passes(value, given)) fail('must not be as `not` says')
    },
  },
}

/** What of the schema could not be checked; undefined when all can. */
export function schemaProblem(schema: Value, root = schema, depth = 0): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isMap(schema)) return 'a schema must be a map, true or false'
  if (depth > DEEPEST) return 'it is nested too deeply'
  if (schema.$ref !== undefined && referred(schema.$ref, root) === undefined)
    return `$ref ${JSON.stringify(schema.$ref)} leads nowhere; only #, #/$defs/… and #/definitions/… are followed`
  const inner = (value: Value) => schemaProblem(value, root, depth + 1)
  for (const [name, given] of Object.entries(schema)) {
    if (name === '$ref') continue
    const problem = ANNOTATIONS.has(name)
      ? first(keys(name === '$defs' || name === 'definitions' ? given : {}), (key) =>
          inner((given as never)[key]),
        )
      : keywordProblem(name, given, inner)
    if (problem !== undefined) return problem
  }
  return undefined
}

function keywordProblem(name: string, given: Value, inner: (schema: Value) => string | undefined) {
  const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined
  if (keyword === undefined) return `the keyword '${name}' is not known here`
  const must = (what: string) => `'${name}' must be ${what}`
  switch (keyword.takes) {
    case 'schema':
      return inner(given)
    case 'schemas':
      return Array.isArray(given) ? first(given, inner) : must('a list of schemas')
    case 'map':
      return isMap(given) ? first(Object.values(given), inner) : must('a map of schemas')
    case 'number':
      return typeof given === 'number' ? undefined : must('a number')
    case 'pattern':
      return isPattern(given) ? undefined : must('a regular expression')
    default:
      return ['enum', 'required'].includes(name) && !Array.isArray(given) ? must('a list') : undefined
  }
}

function first<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = of(item)
    if (found !== undefined) return found
  }
  return undefined
}

function isPattern(value: Value): boolean {
  try {
    return typeof value === 'string' && Boolean(new RegExp(value, 'u'))
  } catch {
    return false
  }
}

function referred(ref: Value, root: Value): Value {
  if (ref === '#') return root
  const [, place, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(ref)) ?? []
  if (place === undefined || name === undefined || !isMap(root)) return undefined
  const all = root[place]
  return isMap(all) && Object.hasOwn(all, name) ? all[name] : undefined
}

/** What is wrong with the value, a line each. Empty: nothing. */
export function schemaFailures(schema: JsonSchema, value: Value): string[] {
  const failures: string[] = []
  judge(schema, value, '', failures, schema, 0)
  return failures.slice(0, MOST_FAILURES)
}

function judge(
  schema: Value,
  value: Value,
  path: string,
  failures: string[],
  root: Value,
  depth: number,
): void {
  const fail = (why: string) => void failures.push(`${path === '' ? 'it' : `'${path}'`} ${why}`)
  if (schema === false) fail('is not allowed')
  else if (depth > DEEPEST) fail('is nested too deeply')
  if (failures.length >= MOST_FAILURES || depth > DEEPEST || !isMap(schema)) return
  const within = (step: string | number, part: Value, of: Value) =>
    judge(
      of,
      part,
      step === '' ? path : path === '' ? String(step) : `${path}.${step}`,
      failures,
      root,
      depth + 1,
    )
  const passes = (part: Value, of: Value) => {
    const found: string[] = []
    judge(of, part, path, found, root, depth + 1)
    return found.length === 0
  }
  if (schema.$ref !== undefined) within('', value, referred(schema.$ref, root))
  for (const [name, given] of Object.entries(schema))
    if (Object.hasOwn(keywords, name))
      keywords[name]!.look(given as never, value, { fail, within, passes, schema })
}
