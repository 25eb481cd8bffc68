// Owns what the event stream of Claude Code and the lines of its hooks have in common.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asDetail,
  asFields,
  type Fields,
  fileOf,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  short,
} from '../shared/json-line.ts'

/** Undefined means that the fields are not what they should be. */
export type Reader = (event: Fields) => AgentSays[] | undefined

export const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(asFields) : [])

export const note = (text: string): AgentSays => ({ kind: 'note', text: short(text, MOST_DETAIL) })

export const toolBegan = (tool: string, input: unknown, call?: unknown): AgentSays => ({
  kind: 'tool_began',
  tool: short(tool, MOST_NAME),
  detail: argumentsOf(input),
  ...callOf(call),
  ...(WRITES.test(tool) ? fileOf(asFields(input).file_path ?? asFields(input).notebook_path) : {}),
})

const WRITES = /^(?:Write|(?:Multi|Notebook)?Edit)$/

export const toolEnded = (tool: string, ok: boolean, content: unknown, call?: unknown): AgentSays => ({
  kind: 'tool_ended',
  tool: short(tool, MOST_NAME),
  ok,
  detail: resultOf(content),
  ...callOf(call),
})

const callOf = (call: unknown) => (isText(call) ? { call: short(call, MOST_NAME) } : {})

/** The argument that a person would name first; all arguments for an unknown tool. */
export function argumentsOf(input: unknown): string {
  const { command, file_path, notebook_path, pattern, url, query, description } = asFields(input)
  const first = [command, file_path, notebook_path, pattern, url, query, description].find(isText)
  return asDetail(first ?? input)
}

export function resultOf(content: unknown): string {
  const texts = listIn(content).map(({ type, text }) => (isText(text) ? text : `[${asDetail(type)}]`))
  return asDetail(Array.isArray(content) ? texts.join('\n') : (printed(content) ?? content ?? ''))
}

/** What a command printed: a hook is told it as two fields among others. */
function printed(content: unknown): string | undefined {
  const { stdout, stderr } = asFields(content)
  if (!isText(stdout) || !isText(stderr)) return undefined
  return [stdout, stderr].filter((text) => text !== '').join('\n')
}

/** The messages of a hook that blocks a tool, and of a rule that denies it; both name the tool. */
const REFUSAL =
  /^(?:PreToolUse:(\S+) hook error|Permission to use (\S+) (?:with command [\s\S]* )?has been denied\.)/

/** The name of the refused tool; undefined when the message is no refusal. */
export function refusedTool(words: string): string | undefined {
  const [, byHook, byRule] = REFUSAL.exec(words) ?? []
  return byHook ?? byRule
}

export const blocked = (tool: string, why: string): AgentSays => ({
  kind: 'blocked',
  tool: short(tool, MOST_NAME),
  why: short(why.trim(), MOST_DETAIL),
})
