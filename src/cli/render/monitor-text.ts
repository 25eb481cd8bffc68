// Owns how a task that somebody waits for reads: while it goes on, and at the end.
import type { FinalState } from '../../domain/final-state.ts'
import type { MonitoredJson } from '../../protocol/monitor-json.ts'
import { oneLine, shorten } from './cells.ts'
import type { Colour, Paint } from './colour.ts'
import { elapsed } from './time.ts'

const MOST_CELLS = 120

/** `20251118-153042-x parked, goes on in 2h 5m: usage limit` */
export function progressLine(task: MonitoredJson, now: number): string {
  const { session_id, phase, task_status, phase_until, reason, last_words } = task
  const doing = (phase ?? task_status ?? 'not found').replaceAll('_', ' ')
  const left = phase_until === null ? '' : `, goes on in ${elapsed((Date.parse(phase_until) - now) / 1000)}`
  const why = phase_until === null ? last_words : reason
  return `${session_id} ${doing}${left}${why ? `: ${shorten(oneLine(why), MOST_CELLS)}` : ''}`
}

const colours: Readonly<Partial<Record<FinalState, Colour>>> = { completed: 'green', needs_input: 'yellow' }

export function outcomeLines(task: MonitoredJson, paint: Paint): string[] {
  const { session_id, final_state, exit_reason, question, output_file } = task
  if (final_state === null) return [`goes on: ${session_id}`]
  const head = `${final_state.replaceAll('_', ' ')}: ${session_id}`
  return [
    paint(colours[final_state] ?? 'red', head),
    ...(question === null
      ? [`  ${oneLine(exit_reason ?? '')}`]
      : [
          `  ${oneLine(question.question)}`,
          ...question.options.map((option, at) => `    ${at + 1}. ${oneLine(option)}`),
          `  Answer with: holdfast answer ${session_id} <choice>`,
        ]),
    ...(output_file === null ? [] : [`  Output: ${output_file}`]),
  ]
}
