// Owns what the event lines of Codex mean: those of `exec --json` here, those of its app server in messages.ts.
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import {
  asFields,
  type Fields,
  fieldsOf,
  isCount,
  isText,
  MOST_NAME,
  short,
  unknownLine,
} from '../shared/json-line.ts'
import { failedTurn } from './failure.ts'
import { note, nothing, type Reader, readCodexItem } from './items.ts'
import { readCodexMessage } from './messages.ts'
import { KEPT, readKept } from './transcript.ts'

const events = new Map<unknown, Reader>([
  ['thread.started', readSession],
  ['turn.started', nothing],
  ['turn.completed', readCompleted],
  ['turn.failed', readFailed],
  ['item.started', ({ item }) => readCodexItem(asFields(item), false)],
  ['item.updated', nothing],
  ['item.completed', ({ item }) => readCodexItem(asFields(item), true)],
  // A retry, or a message that `turn.failed` repeats.
  ['error', note('message')],
  [KEPT, readKept],
])

/** Lines of the app server have no type. */
export function readCodexEvent(line: string): AgentSays[] {
  const event = fieldsOf(line)
  const says = event.type === undefined ? readCodexMessage(event) : events.get(event.type)?.(event)
  return says ?? [unknownLine(line)]
}

function readSession({ thread_id }: Fields): AgentSays[] | undefined {
  return isText(thread_id) ? [{ kind: 'session', id: short(thread_id, MOST_NAME) }] : undefined
}

/** The last words came before, as a message. Both sums include cached and reasoning tokens. */
function readCompleted({ usage }: Fields): AgentSays[] {
  const { input_tokens, output_tokens } = asFields(usage)
  const finished: AgentSays = { kind: 'finished', ok: true, text: '' }
  if (!isCount(input_tokens) || !isCount(output_tokens)) return [finished]
  const tokens = { tokensIn: input_tokens, tokensOut: output_tokens, costUsd: 0 }
  return [{ kind: 'usage', ...tokens, cumulative: true }, finished]
}

function readFailed({ error }: Fields): AgentSays[] | undefined {
  const { message } = asFields(error)
  return isText(message) ? failedTurn(message) : undefined
}
