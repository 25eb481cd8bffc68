// Owns what the messages of Codex as an app server mean: JSON-RPC, one message per line. Its requests are questions.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asDetail,
  asFields,
  type Fields,
  isCount,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
} from '../shared/json-line.ts'
import { readCodexRequest, STEER_REQUEST } from './asking.ts'
import { codexStderrFailure, failedTurn } from './failure.ts'
import { listIn, note, nothing, type Reader, readCodexItem } from './items.ts'

/** The id of the request that opens the conversation; the id of a prompt is its ref. */
export const THREAD_REQUEST = 'thread'

/** Undefined for a message we do not know. */
export function readCodexMessage(message: Fields): AgentSays[] | undefined {
  const { id, method, params } = message
  if (method === undefined) return id === undefined ? undefined : readResponse(message)
  if (!isText(method)) return undefined
  return id === undefined ? notices.get(method)?.(asFields(params)) : readCodexRequest(message)
}

/** Subagents of Codex send messages through it as well: what they do is left out, but what they ask is not. */
export function isOfCodexSession({ id, params }: Fields, session: string): boolean {
  const { threadId } = asFields(params)
  return id !== undefined || threadId === undefined || threadId === null || threadId === session
}

/** An error ends what we requested: there is no thread, or no turn. */
function readResponse({ id, result, error }: Fields): AgentSays[] | undefined {
  if (error !== undefined) {
    const text = short(asDetail(asFields(error).message), MOST_DETAIL)
    if (id === STEER_REQUEST) return [{ kind: 'note', text }]
    return [{ kind: 'finished', ok: false, text, failure: codexStderrFailure(text) }]
  }
  if (id !== THREAD_REQUEST) return []
  const thread = asFields(asFields(result).thread)
  return isText(thread.id) ? [{ kind: 'session', id: short(thread.id, MOST_NAME) }] : undefined
}

/** Notifications that add nothing to the others. We ask Codex not to send most of them. */
export const QUIET_NOTICES: readonly string[] = [
  ...['thread/started', 'thread/status/changed', 'thread/settings/updated', 'thread/name/updated'],
  ...['thread/goal/updated', 'thread/goal/cleared', 'thread/queue/changed', 'thread/readState/changed'],
  ...['thread/closed', 'thread/compacted', 'thread/prediction/updated', 'thread/project/updated'],
  ...['turn/started', 'turn/diff/updated', 'turn/plan/updated', 'turn/moderationMetadata'],
  ...['item/agentMessage/delta', 'item/plan/delta', 'item/reasoning/summaryTextDelta'],
  ...['item/reasoning/summaryPartAdded', 'item/reasoning/textDelta', 'item/fileChange/outputDelta'],
  ...['item/fileChange/patchUpdated', 'item/commandExecution/outputDelta', 'item/mcpToolCall/progress'],
  ...['item/commandExecution/terminalInteraction', 'item/autoApprovalReview/started', 'hook/started'],
  ...['item/autoApprovalReview/completed', 'account/rateLimits/updated', 'account/updated'],
  ...['mcpServer/startupStatus/updated', 'remoteControl/status/changed', 'skills/changed'],
  ...['app/list/updated', 'model/safetyBuffering/updated', 'project/changed'],
]

const notices = new Map<string, Reader>([
  ...QUIET_NOTICES.map((method) => [method, nothing] as const),
  ['item/started', ({ item }) => readItem(asFields(item), false)],
  ['item/completed', ({ item }) => readItem(asFields(item), true)],
  ['turn/completed', ({ turn }) => readTurn(asFields(turn))],
  ['thread/tokenUsage/updated', readUsage],
  ['serverRequest/resolved', () => [{ kind: 'answered', answer: 'taken' }]],
  ['hook/completed', ({ run }) => readHook(asFields(run))],
  ['error', ({ error }) => readError(asFields(error))],
  ['warning', note('message')],
  ['guardianWarning', note('message')],
  ['configWarning', note('summary')],
  ['deprecationNotice', note('summary')],
])

/** A prompt counts when its item has ended: then it is in the session's file. */
function readItem(item: Fields, ended: boolean): AgentSays[] | undefined {
  if (item.type === 'userMessage') return ended ? readPrompt(item) : []
  if (QUIET_ITEMS.has(item.type)) return []
  return readCodexItem(asExecItem(item), ended)
}

const QUIET_ITEMS: ReadonlySet<unknown> = new Set([
  ...['hookPrompt', 'functionCallOutput', 'subAgentActivity', 'imageView', 'sleep', 'imageGeneration'],
  ...['enteredReviewMode', 'exitedReviewMode', 'contextCompaction'],
])

function readPrompt({ clientId, content }: Fields): AgentSays[] {
  const texts = listIn(content).flatMap(({ text }) => (isText(text) ? [text] : []))
  const ref = isText(clientId) ? short(clientId, MOST_NAME) : null
  return [{ kind: 'heard', ref, text: short(texts.join('\n'), MOST_TEXT) }]
}

/** The item with the field names of `exec --json`. Only the fields that are read: a copy of all would be slow. */
function asExecItem(item: Fields): Fields {
  return {
    type: EXEC_TYPES.get(item.type) ?? item.type,
    text: item.type === 'reasoning' ? listOfTexts(item.summary).join('\n') : item.text,
    message: item.message,
    items: item.items,
    status: item.status,
    command: item.command,
    exit_code: item.exitCode,
    aggregated_output: item.aggregatedOutput,
    changes: item.changes,
    server: item.server,
    tool: item.tool,
    arguments: item.arguments,
    result: item.result,
    error: item.error,
    prompt: item.prompt,
    agents_states: item.agentsStates,
    query: item.query,
  }
}

const EXEC_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['agentMessage', 'agent_message'],
  ['commandExecution', 'command_execution'],
  ['fileChange', 'file_change'],
  ['mcpToolCall', 'mcp_tool_call'],
  ['collabAgentToolCall', 'collab_tool_call'],
  ['webSearch', 'web_search'],
  ['todoList', 'todo_list'],
])
const listOfTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : [])

/** The turn of a subagent has another turn as its root: its end is not the end of ours. */
function readTurn({ id, rootTurnId, status, error, items }: Fields): AgentSays[] | undefined {
  if (isText(rootTurnId) && rootTurnId !== id) return []
  if (status === 'interrupted') return [{ kind: 'finished', ok: false, text: 'The turn was interrupted.' }]
  const { message } = asFields(error)
  if (status === 'failed') return failedTurn(isText(message) ? message : 'The turn failed.')
  if (status !== 'completed') return undefined
  const last = listIn(items).findLast(({ type }) => type === 'agentMessage')
  return [{ kind: 'finished', ok: true, text: isText(last?.text) ? short(last.text, MOST_TEXT) : '' }]
}

/** The usage of the whole session; comes after every answer of the model, and once when it is resumed. */
function readUsage({ tokenUsage }: Fields): AgentSays[] | undefined {
  const { inputTokens, outputTokens } = asFields(asFields(tokenUsage).total)
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined
  return [{ kind: 'usage', tokensIn: inputTokens, tokensOut: outputTokens, costUsd: 0, cumulative: true }]
}

/** Codex does not say which tool was blocked: a blocked tool never begins. */
function readHook({ eventName, status, entries }: Fields): AgentSays[] {
  const stopsTools = eventName === 'preToolUse' || eventName === 'permissionRequest'
  if (status !== 'blocked' || !stopsTools) return []
  const why = listIn(entries).map(({ text }) => asDetail(text))
  return [{ kind: 'blocked', tool: 'tool', why: short(why.join('\n'), MOST_DETAIL) }]
}

function readError({ message, additionalDetails }: Fields): AgentSays[] | undefined {
  if (!isText(message)) return undefined
  const text = isText(additionalDetails) ? `${message}: ${additionalDetails}` : message
  return [{ kind: 'note', text: short(text, MOST_DETAIL) }]
}
