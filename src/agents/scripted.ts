// The scripted agent as Holdfast sees it. The program itself is in scripted/; docs/scripted-agent.md explains it.
import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names.ts'
import type { AgentDriver, AgentSays, LaunchPlan, LaunchRequest } from '../ports/agent-driver.ts'

/** Long enough for any real message, short enough that one line cannot fill the store. */
const MOST_TEXT = 1_000_000
const MOST_DETAIL = 4000
const MOST_NAME = 200
const MOST_OPTIONS = 50

/** `executable` is the beginning of its argv, for example ['node', '…/scripted-agent.js']. */
export function scriptedDriver({ executable }: { executable: readonly string[] }): AgentDriver {
  return {
    kind: 'scripted',
    can: { modes: ['headless'], converse: false, model: true },
    sessionIdPattern: /^[a-z0-9][a-z0-9-]{7,63}$/,
    ownEnv: ['SCRIPTED_AGENT_*'],
    launch: (request) => launchPlan(executable, request),
    readEvent,
  }
}

function launchPlan(executable: readonly string[], { mode, model, prompt }: LaunchRequest): LaunchPlan {
  if (mode !== 'headless') throw new HoldfastError('AGENT_CANNOT', `The scripted agent cannot run ${mode}.`)
  const modelArgs = model === null ? [] : [`--model=${model}`]
  return { argv: [...executable, '--json', ...modelArgs], env: {}, stdin: prompt }
}

type Fields = Readonly<Record<string, unknown>>

/** One reader per event type; undefined means that the fields are not what they should be. */
const readers = new Map<unknown, (event: Fields) => AgentSays[] | undefined>([
  ['session', ({ id }) => (isText(id) ? [{ kind: 'session', id: short(id, MOST_NAME) }] : undefined)],
  ['prompt', ({ text }) => (isText(text) ? [] : undefined)],
  ['say', ({ text }) => (isText(text) ? [{ kind: 'said', text: short(text, MOST_TEXT) }] : undefined)],
  ['tool_start', (event) => readTool(event, (tool, detail) => ({ kind: 'tool_began', tool, detail }))],
  ['tool_end', readToolEnd],
  ['ask', readAsk],
  [
    'answer',
    ({ answer }) => (isText(answer) ? [{ kind: 'answered', answer: short(answer, MOST_TEXT) }] : undefined),
  ],
  ['limit', readLimit],
  ['usage', readUsage],
  ['result', readResult],
])

function readEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  return (
    readers.get(event.type)?.(event) ?? [
      { kind: 'unknown', line: printable(line.slice(0, MOST_NAME + 1), MOST_NAME) },
    ]
  )
}

function readTool({ tool, detail }: Fields, says: (tool: string, detail: string) => AgentSays) {
  if (!isText(tool) || !isText(detail)) return undefined
  return [says(short(tool, MOST_NAME), short(detail, MOST_DETAIL))]
}

function readToolEnd(event: Fields) {
  const { ok } = event
  if (typeof ok !== 'boolean') return undefined
  return readTool(event, (tool, detail) => ({ kind: 'tool_ended', tool, ok, detail }))
}

function readAsk({ question, options }: Fields): AgentSays[] | undefined {
  if (!isText(question) || !Array.isArray(options) || !options.every(isText)) return undefined
  const choices = options.slice(0, MOST_OPTIONS).map((option) => short(option, MOST_NAME))
  return [{ kind: 'asked', question: short(question, MOST_DETAIL), options: choices }]
}

function readLimit({ message, until }: Fields): AgentSays[] | undefined {
  if (!isText(message)) return undefined
  return [{ kind: 'limited', message: short(message, MOST_DETAIL), untilMs: isCount(until) ? until : null }]
}

function readUsage({ tokens_in, tokens_out, cost_usd }: Fields): AgentSays[] | undefined {
  if (!isCount(tokens_in) || !isCount(tokens_out) || !isAmount(cost_usd)) return undefined
  return [{ kind: 'usage', tokensIn: tokens_in, tokensOut: tokens_out, costUsd: cost_usd }]
}

function readResult({ ok, text }: Fields): AgentSays[] | undefined {
  if (typeof ok !== 'boolean' || !isText(text)) return undefined
  return [{ kind: 'finished', ok, text: short(text, MOST_TEXT) }]
}

function fieldsOf(line: string): Fields {
  try {
    return (JSON.parse(line) as Fields | null) ?? {}
  } catch {
    return {}
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isAmount = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Capped without halving a character; NUL goes, because PostgreSQL cannot store it. */
function short(text: string, most: number): string {
  const kept = text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
  return kept.replaceAll('\0', '\ufffd')
}
