// Owns the text of a task's next step, with the commands that a person can give.
import type { NextKind } from '../../../domain/recovery/next-facts.ts'
import type { NextJson, TaskDetailJson } from '../../../protocol/json/task-json.ts'
import { elapsed, localSecond } from '../print/time.ts'
import { answerCommand, unansweredCommands } from './question-text.ts'

/** A task, or the answer of `why`. */
export type NextOf = { readonly session_id: string; readonly mode: string; readonly next: NextJson }

/** `in 4s (15:30:46): resumes its session`; with the date when it is not today. */
export function nextText(task: NextOf, now: number): string {
  const { what, at } = task.next
  const text = [what, commandsFor(task)].filter((part) => part !== '').join(': ')
  if (at === null) return `${text}${atOnce(task)}`
  const left = (Date.parse(at) - now) / 1000
  if (left <= 0) return `now: ${text}`
  return `in ${elapsed(left)} (${localTime(at, now)}): ${text}${left > WORTH_A_COMMAND ? atOnce(task) : ''}`
}

/** Seconds. What comes sooner comes before a command is typed. */
const WORTH_A_COMMAND = 30

/** Of a task that waits for a time: how it need not. */
const atOnce = ({ session_id, next: { kind } }: NextOf) =>
  TIMED.has(kind) ? `. At once: \`holdfast unpark ${session_id}\`` : ''

const TIMED: ReadonlySet<NextKind> = new Set(['behind_gate', 'parked', 'backing_off'])

/** `` `holdfast resume …` or `holdfast retry …` ``; empty when the task does not wait for a person. */
function commandsFor(task: NextOf): string {
  const commands = COMMANDS[task.next.kind]?.(task) ?? []
  return commands.map((command) => `\`${command}\``).join(' or ')
}

const COMMANDS: Readonly<Partial<Record<NextKind, (task: NextOf) => string[]>>> = {
  ended: ({ session_id: id, next: { runtime } }) =>
    runtime === null ? [`holdfast resume ${id}`, `holdfast retry ${id}`] : [startCommand(runtime)],
  cannot_be_answered: ({ session_id: id }) => unansweredCommands(id),
  awaits_answer: ({ session_id: id, next }) => [answerCommand(id, next.question)],
  awaits_person: (task) => [`holdfast resume ${task.session_id}`, endCommand(task, 'kill')],
  waiting: ({ session_id: id }) => [`holdfast resume ${id}`, `holdfast finish ${id}`, `holdfast kill ${id}`],
  awaits_tmux: () => ['holdfast up'],
  kept_back: ({ session_id: id }) => [`holdfast attach ${id}`],
  idle: (task) => [
    `holdfast send ${task.session_id} <prompt>`,
    ...(task.mode === 'interactive' ? [`holdfast attach ${task.session_id}`] : []),
    endCommand(task, 'finish'),
  ],
}

/** `runtime`: `<role>@<workspace slug>`; a role has no `@`. */
export const startCommand = (runtime: string) =>
  `holdfast runtime start ${runtime.replace('@', ' --workspace ')}`

/** A runtime is ended by its own command alone. */
const endCommand = ({ session_id, next: { runtime } }: NextOf, word: 'finish' | 'kill') =>
  runtime === null ? `holdfast ${word} ${session_id}` : `holdfast runtime stop ${runtime}`

/** `15:30:46` today, `2025-11-18 15:30:46` on any other day. */
export function localTime(at: string, now: number): string {
  const text = localSecond(at)
  const today = localSecond(new Date(now).toISOString()).slice(0, 10)
  return text.startsWith(today) ? text.slice(11) : text
}

/** How many prompts wait while the session takes none. In other cases `Next` mentions them. */
export function waitingPrompts({ inputs, next }: Pick<TaskDetailJson, 'inputs' | 'next'>): string | null {
  const unsaid = inputs.filter(({ kind, said }) => kind === 'prompt' && !said).length
  if (unsaid === 0 || TELLS_OF_PROMPTS.has(next.kind)) return null
  return `${unsaid} ${unsaid === 1 ? 'prompt, given to the agent' : 'prompts, given to the agent'} when the session goes on`
}
const TELLS_OF_PROMPTS: ReadonlySet<string> = new Set(['kept_back', 'being_told', 'working', 'starting'])
