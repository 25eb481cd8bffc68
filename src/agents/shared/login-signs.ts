// Owns finding signs of a login: variables that are set, and fields of JSON files. Values are read, never passed on.
import type { LoginLook } from '../../ports/run/agent-driver.ts'

type Fields = Readonly<Record<string, unknown>>

/** The first of these variables that is set. A name may end in `*`. */
export function variableSet(env: Fields, names: readonly string[]): string | undefined {
  const isOne = (name: string) =>
    names.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known))
  return Object.keys(env).find((name) => isOne(name) && env[name])
}

/** The JSON object of a file; empty when there is no file, or something else is in it. */
export function fieldsOf({ peek }: LoginLook, path: string): Fields {
  try {
    const value: unknown = JSON.parse(peek(path) ?? '')
    return isMap(value) ? value : {}
  } catch {
    return {}
  }
}

/** The object in this field; empty when it is not an object. */
export function mapIn(fields: Fields, key: string): Fields {
  const value = fields[key]
  return isMap(value) ? value : {}
}

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
