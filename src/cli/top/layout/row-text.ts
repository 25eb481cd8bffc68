// Owns the words of one row: what the session is called, how it is, for how long, and what it is about.
import { isEnded } from '../../../domain/task/machine.ts'
import type { TaskRowJson } from '../../../protocol/json/task-json.ts'
import { elapsed } from '../../render/print/time.ts'
import { stateColour, statusText, unknownSince } from '../../render/text/status-text.ts'
import type { Held } from '../model/board-model.ts'
import type { Section } from '../model/sections.ts'
import type { Style } from '../screen/lines.ts'

/** What a row needs of the present: both clocks. */
export type Now = { readonly monotonic: number; readonly server: number }

/** Its name, or its id without the day: a part of an id is enough for every command. A runtime is called by its own name. */
export const labelOf = ({ name, runtime, session_id }: TaskRowJson) =>
  name ?? runtime ?? session_id.replace(/^\d{8}-(?=\d{6}-)/, '')

/** `unknown: 2m 3s` when its daemon is silent, `asks for 2m 3s`, `decide: 2m 3s` when no agent asks, `limit until 17:05`, `retry at 17:05`, `working`, `failed`. */
export function stateText(held: Held, now: Now): string {
  const { row, questions } = held
  const first = questions[0]
  const since = unknownSince(row)
  if (since !== null) return `unknown: ${elapsed(Math.max(0, now.server - Date.parse(since)) / 1000)}`
  if (row.task_status === 'waiting_input' && row.stopping === null && first !== undefined) {
    // Both are told in whole seconds: a question is never older than its session.
    const asked = (now.server - Date.parse(first.asked_at)) / 1000
    const lasting = elapsed(Math.min(asked, ageSeconds(held, now)))
    return first.asked_by === 'holdfast' ? `decide: ${lasting}` : `asks for ${lasting}`
  }
  // Short enough for a narrow column, in which the time must not be cut off.
  const more = statusText(row, now.server)
    .slice(row.status.length + 1)
    .replace(/^backing off until /, 'retry at ')
  if (more !== '')
    return row.phase === 'stopped_by_person' && more.startsWith('stopped') ? 'stopped by you' : more
  if (!isEnded(row.task_status)) return 'working'
  // It was not killed for good: a start goes on where it stopped.
  return row.runtime !== null && row.task_status === 'cancelled' ? 'stopped' : row.status.toLowerCase()
}

/** By the daemon's clock: its own count, and what went by since. */
export const ageText = (held: Held, now: Now): string => elapsed(ageSeconds(held, now))

function ageSeconds({ row, at }: Held, now: Now): number {
  const since = isEnded(row.task_status) ? 0 : Math.max(0, now.monotonic - at) / 1000
  return row.elapsed_seconds + since
}

/** What it asks or why it waits for a person; else what it is about. */
export function aboutText({ row, questions, detail }: Held): string {
  if (row.task_status !== 'waiting_input') return row.title
  return questions[0]?.question ?? detail?.reason ?? row.title
}

export const MARKS: Readonly<Record<Section, string>> = {
  needs_you: '?',
  at_work: '●',
  waiting: '○',
  done: '✓',
}

export const markOf = ({ row }: Held, section: Section): string =>
  row.task_status === 'failed' ? '✗' : row.task_status === 'cancelled' ? '-' : MARKS[section]

export const styleOf = ({ row }: Held): Style => stateColour(row)
