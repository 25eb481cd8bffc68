// Owns the text about a task that `monitor` waits for: while it goes on, and at the end.

import type { NextKind } from '../../../domain/recovery/next-facts.ts'
import type { FinalState } from '../../../domain/task/final-state.ts'
import type { MonitoredJson } from '../../../protocol/json/monitor-json.ts'
import { oneLine, shorten } from '../print/cells.ts'
import type { Colour, Paint } from '../print/colour.ts'
import { nextText } from './next-text.ts'
import { whatToDo } from './question-text.ts'

const MOST_CELLS = 120

/** `20251118-153042-x parked, in 2h 5m (17:35:42): resumes its session (usage limit)` */
export function progressLine(task: MonitoredJson, now: number): string {
  const { session_id, last_words } = task
  const said = isHeldUp(task) || !last_words ? '' : `: ${shorten(oneLine(last_words), MOST_CELLS)}`
  return `${session_id} ${doingText(task, now)}${said}`
}

/** `working`; for a task that waits, also for what, until when, and why. */
export function doingText(task: MonitoredJson, now: number): string {
  const { session_id, phase, task_status, next, phase_until, reason } = task
  const state = (phase ?? task_status ?? 'not found').replaceAll('_', ' ')
  const doing = awaitsTmux(task) ? 'waits for tmux' : state
  if (next === null || !isHeldUp(task)) return doing
  const then = nextText({ session_id, mode: 'headless', next }, now)
  const why = phase_until === null || !reason ? '' : ` (${shorten(oneLine(reason), MOST_CELLS)})`
  return `${doing}${next.at === null ? ': ' : ', '}${oneLine(then)}${why}`
}

const HELD_UP: ReadonlySet<NextKind | undefined> = new Set([
  'behind_gate',
  'parked',
  'backing_off',
  'waiting',
  'queued',
  'awaits_tmux',
  'being_restarted',
  'verifying',
])
const awaitsTmux = ({ next }: MonitoredJson) => next?.kind === 'awaits_tmux'
const isHeldUp = ({ next }: MonitoredJson) => HELD_UP.has(next?.kind)

const colours: Readonly<Partial<Record<FinalState, Colour>>> = {
  completed: 'green',
  needs_input: 'yellow',
  killed: 'yellow',
}

export function outcomeLines(task: MonitoredJson, paint: Paint): string[] {
  const { session_id, final_state, exit_reason, question, output_file } = task
  if (final_state === null) return [`${awaitsTmux(task) ? 'waits for tmux' : 'goes on'}: ${session_id}`]
  const head = `${final_state.replaceAll('_', ' ')}: ${session_id}`
  return [
    paint(colours[final_state] ?? 'red', head),
    ...(question === null
      ? [`  ${oneLine(exit_reason ?? '')}`]
      : [
          `  ${oneLine(question.question)}`,
          ...question.options.map((option, at) => `    ${at + 1}. ${oneLine(option)}`),
          `  ${whatToDo(session_id, question, true)}`,
        ]),
    ...(task.phase === 'idle' ? howToGoOn(session_id) : []),
    ...(output_file === null ? [] : [`  Output: ${output_file}`]),
  ]
}

/** The commands for a session whose turn is over. */
export const howToGoOn = (id: string): string[] => [
  `  Go on with: holdfast send ${id} <prompt>`,
  `  End it with: holdfast finish ${id}`,
]
