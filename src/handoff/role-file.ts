// Owns what a role file says: YAML front matter, then the persona in Markdown.
import { parseDocument } from 'yaml'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { printable } from '../domain/names/names.ts'
import { PERMISSIONS, type Permission } from '../domain/run/permission.ts'
import { durationOf } from '../domain/text/duration.ts'
import { firstLine } from '../domain/text/first-line.ts'
import { checkYamlDepth } from '../domain/text/yaml-depth.ts'

export type RoleFile = {
  readonly description: string
  readonly agent: string | null
  readonly model: string | null
  /** The permission that the role asks for; the trust rules decide whether it gets it. Undefined: the file does not say. */
  readonly permission: Permission | undefined
  readonly maxDurationMs: number | null | undefined
  readonly restrictions: readonly string[]
  readonly persona: string
  /** Something odd that does not keep the role from working. */
  readonly problem: string | null
}

const KEYS = ['description', 'agent', 'model', 'permissions', 'limits', 'restrictions']
const LIMITS = ['max_duration']
/** The parser takes seconds for a megabyte of nested values, and nobody writes that much. */
const MOST_FRONT_MATTER = 16 * 1024
const FRONT_MATTER = /^---[ \t]*\r?\n(.*?)(?<=\n)---[ \t]*(?:\r?\n|$)/s

/** Throws ROLE_INVALID, naming the file. */
export function parseRoleFile(text: string, file: string): RoleFile {
  const fields = frontMatter(text, file)
  const unknown = Object.keys(fields).filter((key) => !KEYS.includes(key))
  return {
    description: textField(fields, 'description', file) ?? '',
    agent: textField(fields, 'agent', file),
    model: textField(fields, 'model', file),
    permission: permissionField(fields, file),
    maxDurationMs: limitFields(fields, file),
    restrictions: listField(fields, 'restrictions', file),
    persona: text.replace(FRONT_MATTER, '').trim(),
    problem:
      unknown.length === 0 ? null : printable(`unknown keys in the front matter: ${unknown.join(', ')}`, 200),
  }
}

type Fields = Readonly<Record<string, unknown>>

function frontMatter(text: string, file: string): Fields {
  if (!/^---[ \t]*\r?\n/.test(text)) return {}
  const yaml = FRONT_MATTER.exec(text)?.[1]
  if (yaml === undefined) throw invalid(file, 'the front matter has no closing `---`')
  if (yaml.length > MOST_FRONT_MATTER) throw invalid(file, 'the front matter is longer than 16 KB')
  const fields = parsed(yaml, file) ?? {}
  if (!isMap(fields)) throw invalid(file, 'the front matter is not a list of `key: value` lines')
  return fields
}

function parsed(yaml: string, file: string): unknown {
  try {
    checkYamlDepth(yaml)
    const document = parseDocument(yaml, { logLevel: 'silent' })
    if (document.errors[0]) throw document.errors[0]
    return document.toJS()
  } catch (error) {
    throw invalid(file, printable(firstLine(messageOf(error)), 200))
  }
}

function textField(fields: Fields, key: string, file: string): string | null {
  const value = fields[key] ?? null
  if (value === null || typeof value === 'string') return value === null ? null : value.trim() || null
  throw invalid(file, `${key} must be text`)
}

function permissionField({ permissions = null }: Fields, file: string): Permission | undefined {
  const found = PERMISSIONS.find((known) => known === permissions)
  if (found === undefined && permissions !== null)
    throw invalid(file, `permissions must be one of ${PERMISSIONS.join(', ')}`)
  return found
}

/** An unknown limit is refused: its author would believe that it applies. */
function limitFields({ limits }: Fields, file: string): number | null | undefined {
  const asked = limits ?? {}
  if (!isMap(asked) || Object.keys(asked).some((key) => !LIMITS.includes(key)))
    throw invalid(file, `limits must be \`key: value\` lines with ${LIMITS.join(', ')}`)
  if (asked.max_duration === undefined) return undefined
  try {
    return durationOf(asked.max_duration)
  } catch {
    throw invalid(file, 'limits.max_duration must be a duration such as 90s, 30m or 2h')
  }
}

/** One sentence is a list of one. */
function listField(fields: Fields, key: string, file: string): string[] {
  const list = [fields[key] ?? []].flat()
  if (!list.every((item) => typeof item === 'string')) throw invalid(file, `${key} must be a list of texts`)
  return list
}

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (file: string, why: string) =>
  new HoldfastError('ROLE_INVALID', `The role file ${file} is not valid: ${why}.`)
