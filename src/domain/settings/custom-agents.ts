// Owns the agents that a user describes in config.yaml: which fields they may have, and the errors for all others.
import { BadSetting } from '../bad-setting.ts'
import { isEnvPattern, isName, NAME_RULE } from '../names/names.ts'
import { nearest } from '../names/nearest.ts'
import { asciiJson } from '../text/ascii-json.ts'
import { checkUserPattern } from './user-pattern.ts'

/** A custom agent cannot have one of these names. */
export const BUILT_IN_KINDS: readonly string[] = ['claude', 'codex', 'opencode', 'pi', 'scripted']

const FIELDS = ['argv', 'resume', 'model', 'env', 'patterns'] as const
const PATTERN_NAMES = ['session', 'done', 'failed', 'limit', 'asking'] as const
export type PatternName = (typeof PATTERN_NAMES)[number]

/** Plain texts and lists, as in the file, because it is shown to people and stored with every task that uses it. */
export type CustomAgent = {
  readonly argv: readonly string[]
  /** The command that resumes a session; null when the agent cannot do that. */
  readonly resume: readonly string[] | null
  /** Arguments that are added when a task names a model; null when the agent has none for it. */
  readonly model: readonly string[] | null
  readonly env: readonly string[]
  /** Regular expressions that can be matched in linear time. */
  readonly patterns: Readonly<Partial<Record<PatternName, string>>>
}
export type CustomAgents = Readonly<Record<string, CustomAgent>>

/** `{word}` in an argument. Other braces are ordinary characters. */
export const PLACEHOLDER = /\{([a-z_]+)\}/g
const ARGV_PLACEHOLDERS = ['prompt_file', 'model', 'dir']
const LONGEST_PATTERN = 500

/** True when the exit code says whether the agent succeeded, because there is no pattern for success. */
export const exitCodeDecides = (agent: CustomAgent | undefined) =>
  agent !== undefined && agent.patterns.done === undefined

export function readCustomAgents(raw: unknown): CustomAgents {
  const agents = mapOf(raw, '', 'must be a map from names to agents')
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [name, readAgent(name, agent, `.${name}`)]),
  )
}

/** All fields, as they are in the file: a person reads them before approving the agents. */
export const agentLines = (agents: CustomAgents): string[] =>
  Object.entries(agents).flatMap(([name, { patterns, ...lists }]) => [
    ...Object.entries(lists).flatMap(([field, words]) =>
      words === null || words.length === 0
        ? []
        : [`agents.${name}.${field}: ${words.map(quotedIfNeeded).join(' ')}`],
    ),
    ...Object.entries(patterns).map(
      ([pattern, source]) => `agents.${name}.patterns.${pattern}: ${quotedIfNeeded(source)}`,
    ),
  ])

/** Plain words stay as they are. All other texts are quoted, and what is not ASCII is escaped. */
const quotedIfNeeded = (text: string) => (/^[\w@%+=:,./{}*-]+$/.test(text) ? text : asciiJson(text))

function readAgent(name: string, raw: unknown, at: string): CustomAgent {
  if (BUILT_IN_KINDS.includes(name))
    throw new BadSetting('is the name of a built-in agent; choose another name', at)
  if (!isName(name)) throw new BadSetting(NAME_RULE, at)
  const fields = mapOf(raw, at, `must be a map with ${FIELDS.join(', ')}`)
  refuseUnknown(fields, FIELDS, at)
  const { argv, resume, model, env, patterns } = fields
  const agent: CustomAgent = {
    argv: readCommand(argv, ARGV_PLACEHOLDERS, `${at}.argv`),
    resume:
      resume === undefined ? null : readCommand(resume, [...ARGV_PLACEHOLDERS, 'session_id'], `${at}.resume`),
    model: model === undefined ? null : readArguments(model, ['model'], `${at}.model`),
    env: env === undefined ? [] : readEnv(env, `${at}.env`),
    patterns: patterns === undefined ? {} : readPatterns(patterns, `${at}.patterns`),
  }
  checkTogether(agent, at)
  return agent
}

/** Checks the fields that need another field or a placeholder. */
function checkTogether({ resume, model, patterns }: CustomAgent, at: string): void {
  const lacks = (args: readonly string[] | null, word: string) => args !== null && !mentions(args, word)
  if (lacks(resume, 'session_id')) throw new BadSetting('must contain {session_id}', `${at}.resume`)
  if (resume !== null && patterns.session === undefined)
    throw new BadSetting("needs 'patterns.session', which finds the session id", `${at}.resume`)
  if (lacks(model, 'model')) throw new BadSetting('must contain {model}', `${at}.model`)
}

export const mentions = (args: readonly string[], word: string) =>
  args.some((arg) => arg.includes(`{${word}}`))

function readCommand(raw: unknown, words: readonly string[], at: string): string[] {
  const isProgram = (text: unknown) => isText(text) && /^(\/[^{}]*|[^/{}~-][^/{}]*)$/.test(text)
  if (!isTexts(raw) || !isProgram(raw[0]))
    throw new BadSetting(
      'must be a list of texts, the first one a program: a name on your PATH, or an absolute path',
      at,
    )
  return readArguments(raw, words, at)
}

function readArguments(raw: unknown, words: readonly string[], at: string): string[] {
  if (!isTexts(raw)) throw new BadSetting('must be a list of texts', at)
  for (const [, word] of raw.flatMap((arg) => [...arg.matchAll(PLACEHOLDER)]))
    if (word !== undefined && !words.includes(word))
      throw new BadSetting(
        `cannot use {${word}}, only ${words.map((known) => `{${known}}`).join(', ')}${didYouMean(word, words)}`,
        at,
      )
  return raw
}

function readEnv(raw: unknown, at: string): string[] {
  if (!Array.isArray(raw) || !raw.every(isEnvPattern))
    throw new BadSetting('must be a list of variable names; a name may end in *', at)
  return raw
}

function readPatterns(raw: unknown, at: string): CustomAgent['patterns'] {
  const patterns = mapOf(raw, at, `must be a map with ${PATTERN_NAMES.join(', ')}`)
  refuseUnknown(patterns, PATTERN_NAMES, at)
  for (const [name, pattern] of Object.entries(patterns))
    checkUserPattern(pattern, `${at}.${name}`, LONGEST_PATTERN)
  return patterns as CustomAgent['patterns']
}

function refuseUnknown(fields: object, known: readonly string[], at: string): void {
  for (const field of Object.keys(fields))
    if (!known.includes(field))
      throw new BadSetting(
        `is unknown; known are ${known.join(', ')}${didYouMean(field, known)}`,
        `${at}.${field}`,
      )
}

function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? '' : ` (did you mean '${near}'?)`
}

function mapOf(raw: unknown, at: string, must: string): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new BadSetting(must, at)
  return raw as Record<string, unknown>
}

const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0')
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isText)
