// Owns reading the file in which Codex keeps a session (its rollout). With its interface, it writes only there which prompts
// it took, what it said and did, and how a turn ended. We keep only those lines, and only the fields that we show.
import type { AgentSays, Transcript } from '../../ports/run/agent-driver.ts'
import {
  asDetail,
  asFields,
  type Fields,
  fieldsOf,
  isText,
  MOST_DETAIL,
  MOST_NAME,
  MOST_TEXT,
  short,
} from '../shared/json-line.ts'
import { failedTurn } from './failure.ts'
import { listIn } from './items.ts'

/** The type of a kept line among the event lines of a run. */
export const KEPT = 'rollout'

type Kept = { readonly kind: string } & Fields

export const codexTranscript: Transcript = {
  find(session, env, list) {
    const sessions = `${env.CODEX_HOME || `${env.HOME ?? ''}/.codex`}/sessions`
    const isIts = (name: string) => name.startsWith('rollout-') && name.endsWith(`-${session}.jsonl`)
    for (const day of daysOf(session)) {
      const name = list(`${sessions}/${day}`).find(isIts)
      if (name !== undefined) return `${sessions}/${day}/${name}`
    }
    return undefined
  },

  keep(line) {
    const { timestamp, type, payload } = fieldsOf(line)
    const told = type === 'event_msg' || type === 'response_item' ? keptFrom(asFields(payload)) : undefined
    const atMs = Date.parse(isText(timestamp) ? timestamp : '')
    return told === undefined || Number.isNaN(atMs) ? undefined : { atMs, event: { type: KEPT, told } }
  },
}

const DAY_MS = 24 * 60 * 60 * 1000

/** A session id begins with its time of creation (UUID 7); the directory is named after that day, in an unknown time zone. */
function daysOf(session: string): string[] {
  const made = Number.parseInt(session.replaceAll('-', '').slice(0, 12), 16)
  return [0, -DAY_MS, DAY_MS].map((more) =>
    new Date(made + more).toISOString().slice(0, 10).replaceAll('-', '/'),
  )
}

/** Undefined for lines that are not shown: settings, the model's context, and what another line repeats. */
function keptFrom(payload: Fields): Kept | undefined {
  const { call_id: call, name, output } = payload
  switch (payload.type) {
    case 'item_completed':
      return ofItem(asFields(payload.item))
    case 'function_call':
    case 'custom_tool_call':
      return { kind: 'began', call, tool: name, asked: short(argumentOf(payload), MOST_DETAIL) }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { kind: 'ended', call, answer: short(outputOf(output), MOST_DETAIL) }
    case 'task_complete': {
      const { last_agent_message: words, error } = payload
      return {
        kind: 'over',
        words: isText(words) ? short(words, MOST_TEXT) : '',
        error: asFields(error).message,
      }
    }
    case 'turn_aborted':
      return { kind: 'aborted', reason: payload.reason }
    default:
      return undefined
  }
}

function ofItem({ type, content }: Fields): Kept | undefined {
  const text = listIn(content)
    .flatMap((part) => (isText(part.text) ? [part.text] : []))
    .join('\n')
  if (type === 'UserMessage') return { kind: 'heard', text: short(text, MOST_TEXT) }
  return type === 'AgentMessage' ? { kind: 'said', text: short(text, MOST_TEXT) } : undefined
}

/** The command of a shell call as it was typed; all arguments of any other call. */
function argumentOf({ arguments: given, input }: Fields): string {
  const { cmd, command } = fieldsOf(isText(given) ? given : '')
  return asDetail(cmd ?? command ?? given ?? input)
}

/** The output of a call, without Codex's own lines about how long it took. */
function outputOf(output: unknown): string {
  const text = isText(output) ? output : asDetail(asFields(output).content ?? output)
  const told = fieldsOf(text).output
  return isText(told) ? told : text
}

/** What a kept line says. A turn that was stopped gives no end here: the screen shows why it stopped. */
export function readKept({ told }: Fields): AgentSays[] | undefined {
  const { kind, text, call, tool, asked, answer, words, error } = asFields(told)
  switch (kind) {
    case 'heard':
      return isText(text) ? [{ kind: 'heard', ref: null, text }] : undefined
    case 'said':
      return isText(text) ? [{ kind: 'said', text }] : undefined
    case 'began':
      return isText(tool) && isText(asked)
        ? [{ kind: 'tool_began', ...named(tool), detail: asked, ...callOf(call) }]
        : undefined
    case 'ended':
      return isText(answer)
        ? [{ kind: 'tool_ended', tool: '', ...outcome(answer), ...callOf(call) }]
        : undefined
    case 'over':
      if (isText(error)) return failedTurn(error)
      return isText(words) ? [{ kind: 'finished', ok: true, text: words }] : undefined
    case 'aborted':
      return [{ kind: 'note', text: 'the turn was stopped' }]
    default:
      return undefined
  }
}

const named = (tool: string) => ({ tool: tool === 'exec_command' ? 'shell' : short(tool, MOST_NAME) })
const callOf = (call: unknown) => (isText(call) ? { call: short(call, MOST_NAME) } : {})

const HEAD =
  /^(?:(?:Chunk ID|Wall time|Original token count|Process exited with code|Process running)\b.*\n)*Output:\n/

function outcome(answer: string): { readonly ok: boolean; readonly detail: string } {
  const code = /^Process exited with code (\d+)$/m.exec(answer)?.[1] ?? '0'
  const ok = code === '0' && !/^aborted by user$/m.test(answer)
  const detail = answer.replace(HEAD, '').trimEnd()
  return { ok, detail: code === '0' ? detail : `exit code ${code}\n${detail}`.trimEnd() }
}
