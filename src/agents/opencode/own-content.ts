// Owns joining our settings with those that the user has in the same variable, OPENCODE_CONFIG_CONTENT.
import { asFields, type Fields, fieldsOf } from '../shared/json-line.ts'

/** Stands for the `{` of a text that OpenCode would replace by a variable or a file; only in our own texts. */
const BRACE = '\ue000'
const REPLACED = /\{(?=(?:env|file):)/g

/** As JSON in which OpenCode replaces nothing. */
export const literally = (config: object) => JSON.stringify(config).replace(REPLACED, '\\u007b')

/** The user's settings stay, beneath ours. Undefined when they are there and are not plain JSON. */
export function joinedWithOwn(own: string | undefined, config: object): string | undefined {
  if (own === undefined || own.trim() === '') return literally(config)
  const theirs = fieldsOf(own)
  if (Object.keys(theirs).length === 0) return own.trim() === '{}' ? literally(config) : undefined
  const ours = JSON.parse(JSON.stringify(config).replace(REPLACED, BRACE)) as Fields
  return JSON.stringify(joined(theirs, ours)).replaceAll(BRACE, '\\u007b')
}

/** Lists are added to, everything else of ours wins. */
function joined(theirs: Fields, ours: Fields): Fields {
  const both = Object.entries(ours).map(([name, value]) => [name, joinedValue(theirs[name], value)])
  return { ...theirs, ...Object.fromEntries(both) }
}

function joinedValue(theirs: unknown, ours: unknown): unknown {
  if (Array.isArray(theirs) && Array.isArray(ours)) return [...theirs, ...ours]
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject(theirs) && isObject(ours) ? joined(asFields(theirs), asFields(ours)) : ours
}
