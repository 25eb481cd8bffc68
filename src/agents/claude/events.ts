// Owns what the event lines of Claude Code mean: those of `--output-format=stream-json`, and in a terminal those of its hooks.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
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
} from '../shared/json-line.ts'
import { limitedBy } from '../shared/limited.ts'
import { readControlRequest, readControlResponse } from './asking.ts'
import { claudeFailure, statusFailure } from './failure.ts'
import { readClaudeHook } from './hooks.ts'
import {
  argumentsOf,
  blocked,
  listIn,
  note,
  type Reader,
  refusedTool,
  resultOf,
  toolBegan,
  toolEnded,
} from './says.ts'

const MOST_DENIALS = 20

const nothing: Reader = () => []

const events = new Map<unknown, Reader>([
  ['system', (event) => (isText(event.subtype) ? (notices.get(event.subtype) ?? nothing)(event) : undefined)],
  ['assistant', readAssistant],
  ['user', readUser],
  ['rate_limit_event', readRateLimit],
  ['result', readResult],
  ['control_request', readControlRequest],
  ['control_response', readControlResponse],
  ['control_cancel_request', () => [{ kind: 'answered', answer: 'withdrawn' }]],
  ['command_lifecycle', readLifecycle],
  ['conversation_reset', nothing],
])

/** The system events that matter; the others are internal to Claude Code. */
const notices = new Map<unknown, Reader>([
  ['init', readInit],
  ['api_retry', readRetry],
  ['compact_boundary', () => [note('the conversation was compacted')]],
  ['informational', ({ content }) => (isText(content) ? [note(content)] : undefined)],
])

export function readClaudeEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  const read = isText(event.hook_event_name) ? readClaudeHook : events.get(event.type)
  return read?.(event) ?? [unknownLine(line)]
}

function readInit({ session_id, mcp_servers }: Fields): AgentSays[] | undefined {
  if (!isText(session_id)) return undefined
  const absent = listIn(mcp_servers).filter(({ status }) => status !== 'connected' && status !== 'pending')
  return [
    { kind: 'session', id: short(session_id, MOST_NAME) },
    ...absent.map(({ name, status }) => ({
      ...note(`MCP server ${asDetail(name)}: ${asDetail(status)}`),
      missingServer: short(asDetail(name), MOST_NAME),
    })),
  ]
}

function readRetry({ attempt, max_retries, retry_delay_ms, error_status, error }: Fields): AgentSays[] {
  const why = [error_status, error].filter((part) => part != null).map(asDetail)
  const wait = isAmount(retry_delay_ms) ? ` in ${Math.ceil(retry_delay_ms / 1000)} s` : ''
  return [note(`retry ${asDetail(attempt)} of ${asDetail(max_retries)}${wait}: ${why.join(' ')}`)]
}

/** One event holds one or more finished blocks of a message. Thoughts are left out. */
function readAssistant({ message, is_api_error_message }: Fields): AgentSays[] {
  return listIn(asFields(message).content).flatMap((block): AgentSays[] => {
    if (block.type === 'text' && isText(block.text))
      return is_api_error_message === true
        ? [note(block.text)]
        : [{ kind: 'said', text: short(block.text, MOST_TEXT) }]
    if (block.type === 'tool_use' && isText(block.name)) return [toolBegan(block.name, block.input, block.id)]
    return []
  })
}

/** A prompt begins its turn. This event comes at once, while the repeated message waits for the model. */
function readLifecycle({ command_uuid: ref, state }: Fields): AgentSays[] | undefined {
  if (!isText(ref)) return undefined
  return state === 'started' ? [{ kind: 'heard', ref: short(ref, MOST_NAME), text: null }] : []
}

/** Results of tools. They name the call, not the tool, which was on an earlier line. */
function readUser({ message, isReplay, tool_result_meta }: Fields): AgentSays[] {
  if (isReplay === true) return []
  return listIn(asFields(message).content).flatMap((block): AgentSays[] => {
    if (block.type === 'text' && isText(block.text)) return [note(block.text)]
    if (block.type !== 'tool_result') return []
    const ended = toolEnded('', block.is_error !== true, block.content, block.tool_use_id)
    const meta = listIn(tool_result_meta).find(({ id }) => id === block.tool_use_id)
    return isBlocked(asFields(meta)) ? [ended, blockedBy(resultOf(block.content))] : [ended]
  })
}

/** Whether a hook or a rule blocked the tool: not a person's No, and not the mode that Holdfast chose. */
function isBlocked({ non_execution_kind, permission_decision }: Fields): boolean {
  const { source, reason_type } = asFields(permission_decision)
  return non_execution_kind === 'permission-rule' && source !== 'user_reject' && reason_type !== 'mode'
}

const blockedBy = (why: string) => blocked(refusedTool(why) ?? '', why)

/** Comes only for accounts with a subscription. */
function readRateLimit({ rate_limit_info }: Fields): AgentSays[] | undefined {
  const { status, resetsAt, rateLimitType } = asFields(rate_limit_info)
  if (!isText(status)) return undefined
  const which = isText(rateLimitType) ? ` (${rateLimitType})` : ''
  if (status === 'allowed_warning') return [note(`the usage limit${which} is near`)]
  if (status !== 'rejected') return []
  const untilMs = isCount(resetsAt) ? resetsAt * 1000 : null
  return [limitedBy(short(`usage limit reached${which}`, MOST_DETAIL), untilMs)]
}

function readResult(event: Fields): AgentSays[] | undefined {
  const { is_error, subtype, num_turns } = event
  if (typeof is_error !== 'boolean' || !isText(subtype)) return undefined
  const says = [...denials(event), ...usage(event)]
  const text = wordsOf(event)
  // No turn: a hook or a built-in command took the prompt, and the model never saw it.
  if (!is_error && num_turns === 0)
    return [...says, { kind: 'finished', ok: false, text, failure: 'permanent' }]
  if (!is_error && subtype === 'success') return [...says, { kind: 'finished', ok: true, text }]
  const failure = statusFailure(event.api_error_status) ?? claudeFailure(text)
  const limited = failure === 'limit' ? [limitedBy(text)] : []
  return [...says, ...limited, { kind: 'finished', ok: false, text, failure }]
}

function denials({ permission_denials }: Fields): AgentSays[] {
  return listIn(permission_denials)
    .slice(0, MOST_DENIALS)
    .map(({ tool_name, tool_input }) =>
      note(`not permitted: ${asDetail(tool_name)} ${argumentsOf(tool_input)}`),
    )
}

/** The usage of this turn, summed over models, with subagents. Tokens read from and written to caches count as input. */
function usage({ model_usage_since_last_result, modelUsage }: Fields): AgentSays[] {
  const models = Object.values(asFields(model_usage_since_last_result ?? modelUsage)).map(asFields)
  const sum = (isValid: (value: unknown) => value is number, ...keys: string[]) =>
    models
      .flatMap((model) => keys.map((key) => model[key]))
      .filter(isValid)
      .reduce((total, value) => total + value, 0)
  const tokensIn = sum(isCount, 'inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens')
  const tokensOut = sum(isCount, 'outputTokens')
  return models.length === 0
    ? []
    : [{ kind: 'usage', tokensIn, tokensOut, costUsd: sum(isAmount, 'costUSD') }]
}

/** The last words of the model, else the errors (without diagnostics), else the reason why it stopped. */
function wordsOf({ result, errors, terminal_reason, subtype }: Fields): string {
  if (isText(result)) return short(result, MOST_TEXT)
  const told = Array.isArray(errors) ? errors.filter(isText).filter((error) => !/^\[\w+\] /.test(error)) : []
  return short(told.join('\n') || `stopped: ${asDetail(terminal_reason ?? subtype)}`, MOST_DETAIL)
}
