// Owns what the lines of `opencode run --format json` mean. There is no last line: the end of the process is the end.
import type { AgentSays } from '../ports/agent-driver.ts'
import {
  asDetail,
  asFields,
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
import { classOfAnswer, classOfWords } from './opencode-failure.ts'

/** After these the model is asked again. `stop` with a tool call is too: then another `step_finish` follows. */
const GOES_ON = ['tool-calls', 'unknown']

/** One reader per event type; undefined means that the fields are not what they should be. */
const readers = new Map<unknown, (event: Fields) => AgentSays[] | undefined>([
  ['step_start', readSession],
  ['text', ({ part }) => readText(asFields(part))],
  ['tool_use', ({ part }) => readTool(asFields(part))],
  ['step_finish', ({ part }) => readStep(asFields(part))],
  ['error', readError],
])

export function readOpencodeEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  return readers.get(event.type)?.(event) ?? [unknownLine(line)]
}

function readSession({ sessionID }: Fields): AgentSays[] | undefined {
  return isText(sessionID) ? [{ kind: 'session', id: short(sessionID, MOST_NAME) }] : undefined
}

function readText({ text }: Fields): AgentSays[] | undefined {
  return isText(text) ? [{ kind: 'said', text: short(text, MOST_TEXT) }] : undefined
}

/** A tool is told only when it has ended. */
function readTool({ tool, state }: Fields): AgentSays[] | undefined {
  const { status, input, output, error, metadata } = asFields(state)
  if (!isText(tool) || !isText(status)) return undefined
  const name = short(tool, MOST_NAME)
  const ok = status === 'completed' && (asFields(metadata).exit ?? 0) === 0
  return [
    { kind: 'tool_began', tool: name, detail: asDetail(input) },
    { kind: 'tool_ended', tool: name, ok, detail: asDetail(error ?? output) },
  ]
}

function readStep({ reason, tokens, cost }: Fields): AgentSays[] | undefined {
  if (!isText(reason)) return undefined
  const usage = readUsage(asFields(tokens), cost)
  if (GOES_ON.includes(reason)) return usage
  if (reason === 'stop') return [...usage, { kind: 'finished', ok: true, text: '' }]
  const text = `the model stopped early: ${short(reason, MOST_NAME)}`
  return [...usage, { kind: 'finished', ok: false, text, failure: 'crash' }]
}

/** Told per step; what came from or went to the cache, and reasoning, are told beside input and output. */
function readUsage({ input, output, reasoning, cache }: Fields, cost: unknown): AgentSays[] {
  const { read, write } = asFields(cache)
  const sum = (...counts: unknown[]) => counts.filter(isCount).reduce((total, count) => total + count, 0)
  const tokensIn = sum(input, read, write)
  return [{ kind: 'usage', tokensIn, tokensOut: sum(output, reasoning), costUsd: isAmount(cost) ? cost : 0 }]
}

function readError(event: Fields): AgentSays[] | undefined {
  const error = asFields(event.error)
  const data = asFields(error.data)
  const said = [data.message, error.message, error.name].filter(isText).find((words) => words !== '')
  if (said === undefined) return undefined
  const text = short(said, MOST_DETAIL)
  const session = readSession(event) ?? []
  if (isNoResult(error, data)) return [...session, { kind: 'note', text }]
  const failure = classOf(error, data, text)
  const limited: AgentSays[] =
    failure === 'limit' ? [{ kind: 'limited', message: text, untilMs: resetTime(data, event.timestamp) }] : []
  return [...session, ...limited, { kind: 'finished', ok: false, text, failure }]
}

/** A conversation grown too long is shortened, and it goes on. An error with a `ref` only points to the log: stderr tells. */
const isNoResult = ({ name }: Fields, { ref }: Fields) => name === 'ContextOverflowError' || isText(ref)

function classOf({ name }: Fields, { statusCode, responseBody, metadata }: Fields, text: string) {
  const words = [name, asFields(metadata).code, text, responseBody].filter(isText)
  const all = words.join(' ').slice(0, MOST_DETAIL)
  return isCount(statusCode) ? classOfAnswer(statusCode, all) : classOfWords(all)
}

/** The provider tells a time of its own, or a wait that counts from the event's time. */
function resetTime({ responseBody, responseHeaders }: Fields, toldAt: unknown): number | null {
  const { resets_at } = asFields(fieldsOf(isText(responseBody) ? responseBody : '').error)
  const wait = asFields(responseHeaders)['retry-after']
  const time = isCount(resets_at) ? resets_at * 1000 : afterWait(isText(wait) ? wait : '', toldAt)
  return isCount(time) ? time : null
}

const afterWait = (wait: string, toldAt: unknown) =>
  /^\d{1,9}$/.test(wait) ? Number(toldAt) + Number(wait) * 1000 : Date.parse(wait)
