// The scripted agent as Holdfast sees it. The program itself is in scripted/; docs/scripted-agent.md explains it.
import type { AgentDriver, AgentSays, LaunchPlan, LaunchRequest } from '../ports/agent-driver.ts'
import { reading } from '../ports/screen.ts'
import {
  type Fields,
  fieldsOf,
  isAmount,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
  unknownLine,
} from './json-line.ts'

const MOST_OPTIONS = 50

/** `executable` is the beginning of its argv, for example ['node', '…/scripted-agent.js']. */
export function scriptedDriver({ executable }: { executable: readonly string[] }): AgentDriver {
  return {
    kind: 'scripted',
    program: null,
    can: {
      modes: ['headless'],
      converse: false,
      model: true,
      personaFlag: false,
      permissions: ['default'],
      extraDirs: false,
      mcp: false,
      sessionId: 'chosen',
      resume: true,
    },
    sessionIdPattern: /^[a-z0-9][a-z0-9-]{7,63}$/,
    ownEnv: ['SCRIPTED_AGENT_*'],
    launch: (request) => launchPlan(executable, request),
    readEvent,
    readStderr: () => 'crash',
    readScreen: () => reading('unknown', 'its interface is not used'),
  }
}

function launchPlan(executable: readonly string[], request: LaunchRequest): LaunchPlan {
  const { model, prompt, resume, sessionId } = request
  const session = resume === null ? ['--session-id', sessionId] : ['--resume', resume]
  const modelArgs = model === null ? [] : [`--model=${model}`]
  return {
    argv: [...executable, '--json', ...session, ...modelArgs],
    env: {},
    stdin: prompt,
    files: [],
    sessionId: resume ?? sessionId,
  }
}

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
  return readers.get(event.type)?.(event) ?? [unknownLine(line)]
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
