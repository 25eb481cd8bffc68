// Owns what the parts of OpenCode's events mean, in whichever event they come: text, tools, usage, failures.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asDetail,
  asFields,
  type Fields,
  fieldsOf,
  fileOf,
  isAmount,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
} from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'
import { classOfAnswer, classOfWords } from './failure.ts'

/** The beginning of the message for a forbidden tool; the rules themselves follow. */
const FORBIDDEN = /^The user has specified a rule which prevents you from using this specific tool call/

const WRITES = /^(?:write|(?:multi)?edit)$/

export function readSession({ sessionID }: Fields): AgentSays[] | undefined {
  return isText(sessionID) ? [{ kind: 'session', id: short(sessionID, MOST_NAME) }] : undefined
}

export function readText({ text }: Fields): AgentSays[] | undefined {
  return isText(text) ? [{ kind: 'said', text: short(text, MOST_TEXT) }] : undefined
}

export function readToolBegan({ tool, state }: Fields): AgentSays[] | undefined {
  if (!isText(tool)) return undefined
  const { input } = asFields(state)
  const file = WRITES.test(tool) ? fileOf(asFields(input).filePath) : {}
  return [{ kind: 'tool_began', tool: short(tool, MOST_NAME), detail: argumentsOf(input), ...file }]
}

/** The argument that a person would name first; all arguments for an unknown tool. */
function argumentsOf(input: unknown): string {
  const { command, filePath, pattern, url, query } = asFields(input)
  return asDetail([command, filePath, pattern, url, query].find(isText) ?? input)
}

export function readToolEnded({ tool, state }: Fields): AgentSays[] | undefined {
  const { status, output, error, metadata } = asFields(state)
  if (!isText(tool) || !isText(status)) return undefined
  const name = short(tool, MOST_NAME)
  const ok = status === 'completed' && (asFields(metadata).exit ?? 0) === 0
  const detail = asDetail(error ?? output)
  const forbidden: AgentSays[] = FORBIDDEN.test(detail) ? [{ kind: 'blocked', tool: name, why: detail }] : []
  return [...forbidden, { kind: 'tool_ended', tool: name, ok, detail }]
}

/** The usage of one step. Cache and reasoning tokens are not part of `input` and `output`, and are added. */
export function readUsage({ input, output, reasoning, cache }: Fields, cost: unknown): AgentSays[] {
  const { read, write } = asFields(cache)
  const sum = (...counts: unknown[]) => counts.filter(isCount).reduce((total, count) => total + count, 0)
  const tokensIn = sum(input, read, write)
  return [{ kind: 'usage', tokensIn, tokensOut: sum(output, reasoning), costUsd: isAmount(cost) ? cost : 0 }]
}

export function messageIn({ message, name, data }: Fields): string | undefined {
  const said = [asFields(data).message, message, name].filter(isText).find((words) => words !== '')
  return said === undefined ? undefined : short(said, MOST_DETAIL)
}

/** The end of a turn that failed. An interrupted turn gets no reason: whoever interrupted it knows why. */
export function readFailure(event: Fields): AgentSays[] {
  const error = asFields(event.error)
  const text = messageIn(error) ?? 'it failed'
  if (error.name === 'MessageAbortedError')
    return [{ kind: 'finished', ok: false, text: 'interrupted', interrupted: true }]
  const data = asFields(error.data)
  const failure = classOf(error, data, text)
  const limited = failure === 'limit' ? [limitedBy(text, resetTime(data, event.timestamp))] : []
  return [...limited, { kind: 'finished', ok: false, text, failure }]
}

function classOf({ name }: Fields, { statusCode, responseBody, metadata }: Fields, text: string) {
  const words = [name, asFields(metadata).code, text, responseBody].filter(isText)
  const all = words.join(' ').slice(0, MOST_DETAIL)
  return isCount(statusCode) ? classOfAnswer(statusCode, all) : classOfWords(all)
}

/** Epoch ms when a limit ends. The provider names a time, or a wait that counts from the time of the event. */
function resetTime({ responseBody, responseHeaders }: Fields, toldAt: unknown): number | null {
  const { resets_at } = asFields(fieldsOf(isText(responseBody) ? responseBody : '').error)
  const wait = asFields(responseHeaders)['retry-after']
  const time = isCount(resets_at) ? resets_at * 1000 : afterWait(isText(wait) ? wait : '', toldAt)
  return isCount(time) ? time : null
}

const afterWait = (wait: string, toldAt: unknown) =>
  /^\d{1,9}$/.test(wait) ? Number(toldAt) + Number(wait) * 1000 : Date.parse(wait)
