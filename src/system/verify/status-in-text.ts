// Owns finding a value in a YAML, JSON or Markdown text. Values and keys are read as texts: `5.10` is not the number 5.1.
import { parse } from 'yaml'
import { checkYamlDepth } from '../../domain/text/yaml-depth.ts'

const FRONT_MATTER = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---[^\S\n]*(?:\n|$)/
/** From the first to the last character that is neither blank nor a sign of Markdown. */
const UNDECORATED = /[^\s*_`](?:.*[^\s*_`])?/s
const MARKDOWN = /\.(md|markdown)$/i

/** Undefined when the key is not there, or its value is not a plain one. Throws when the YAML is broken. */
export function statusInText(text: string, path: string, key: readonly string[]): string | undefined {
  if (!MARKDOWN.test(path)) return dig(yaml(text), key)
  const front = frontMatter(text)
  return (front === undefined ? undefined : dig(yaml(front), key)) ?? statusLine(text, key.join('.'))
}

/** The YAML between the first two lines of dashes. */
export const frontMatter = (text: string): string | undefined => FRONT_MATTER.exec(text)?.[1]

function yaml(text: string): unknown {
  checkYamlDepth(text)
  return parse(text, { schema: 'failsafe', logLevel: 'silent' })
}

/** Each step of the key exactly as it is written, else in upper or lower case. */
function dig(value: unknown, key: readonly string[]): string | undefined {
  let at = value
  for (const step of key) {
    if (typeof at !== 'object' || at === null) return undefined
    const names = Object.keys(at)
    const name = names.includes(step) ? step : names.find((one) => one.toLowerCase() === step.toLowerCase())
    if (name === undefined) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return typeof at === 'string' ? at : undefined
}

/** `Status: done`, also as `**Status:** done`, `- Status: done` or `## Status: done`. */
function statusLine(text: string, label: string): string | undefined {
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const line = new RegExp(`^[ \\t>#*_-]*${escaped}[*_]*[ \\t]*:(.*)$`, 'im').exec(text)
  return line?.[1] === undefined ? undefined : (UNDECORATED.exec(line[1])?.[0] ?? '')
}
