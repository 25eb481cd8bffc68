// Owns what a role file says: YAML front matter, then the persona in Markdown.
import { parseDocument } from 'yaml'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { printable } from '../domain/names.ts'

export type RoleFile = {
  readonly description: string
  readonly agent: string | null
  readonly model: string | null
  /** As written; what they widen is for the trust rules to judge. */
  readonly permissions: unknown
  readonly limits: Readonly<Record<string, unknown>>
  readonly restrictions: readonly string[]
  readonly persona: string
  /** Something odd that does not keep the role from working. */
  readonly problem: string | null
}

const KEYS = ['description', 'agent', 'model', 'permissions', 'limits', 'restrictions']
const FRONT_MATTER = /^---[ \t]*\r?\n(.*?)(?<=\n)---[ \t]*(?:\r?\n|$)/s

/** Throws ROLE_INVALID, naming the file. */
export function parseRoleFile(text: string, file: string): RoleFile {
  const fields = frontMatter(text, file)
  const unknown = Object.keys(fields).filter((key) => !KEYS.includes(key))
  return {
    description: textField(fields, 'description', file) ?? '',
    agent: textField(fields, 'agent', file),
    model: textField(fields, 'model', file),
    permissions: fields.permissions ?? null,
    limits: mapField(fields, 'limits', file),
    restrictions: listField(fields, 'restrictions', file),
    persona: text.replace(FRONT_MATTER, '').trim(),
    problem: unknown.length === 0 ? null : printable(`unknown front matter: ${unknown.join(', ')}`, 200),
  }
}

type Fields = Readonly<Record<string, unknown>>

function frontMatter(text: string, file: string): Fields {
  if (!/^---[ \t]*\r?\n/.test(text)) return {}
  const yaml = FRONT_MATTER.exec(text)?.[1]
  if (yaml === undefined) throw invalid(file, 'the front matter has no closing `---`')
  const fields = parsed(yaml, file) ?? {}
  if (!isMap(fields)) throw invalid(file, 'the front matter is not a list of `key: value` lines')
  return fields
}

function parsed(yaml: string, file: string): unknown {
  try {
    const document = parseDocument(yaml, { logLevel: 'silent' })
    if (document.errors[0]) throw document.errors[0]
    return document.toJS()
  } catch (error) {
    throw invalid(file, printable(messageOf(error).split('\n')[0] ?? '', 200))
  }
}

function textField(fields: Fields, key: string, file: string): string | null {
  const value = fields[key] ?? null
  if (value === null || typeof value === 'string') return value === null ? null : value.trim() || null
  throw invalid(file, `${key} must be text`)
}

function mapField(fields: Fields, key: string, file: string): Fields {
  const value = fields[key] ?? {}
  if (!isMap(value)) throw invalid(file, `${key} must be \`key: value\` lines`)
  return value
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
