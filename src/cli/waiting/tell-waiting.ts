// Owns telling somebody who waits for a session what the session itself waits for: else a limit of hours looks like work.
import type { NextKind } from '../../domain/recovery/next-facts.ts'
import type { TaskDetailJson } from '../../protocol/json/task-json.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../render/print/cells.ts'
import { nextText } from '../render/text/next-text.ts'
import { questionLines } from '../render/text/question-text.ts'

/** What is over sooner is not worth a line. */
const LOOK_EVERY_MS = 2_000

const HELD_UP: ReadonlySet<NextKind> = new Set([
  'behind_gate',
  'parked',
  'backing_off',
  'waiting',
  'queued',
  'awaits_tmux',
  'awaits_person',
])

/** Says each thing that it waits for once. Call what is returned when nobody waits any more. */
export function tellWaiting(
  id: string,
  { runningDaemon, say }: Pick<Context, 'runningDaemon' | 'say'>,
): () => void {
  let told = ''
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    // Whoever follows the output sees to a daemon that is away.
    const task = await runningDaemon()
      .call('GET /api/tasks/:id', { id })
      .catch(() => undefined)
    if (timer === undefined) return
    const what = task === undefined ? told : waitOf(task)
    if (task !== undefined && what !== told && what !== '') for (const line of linesOf(task)) say(line)
    told = what
    timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  }
  timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}

/** What comes next, without the time that is left. */
const waitOf = (task: TaskDetailJson) =>
  HELD_UP.has(task.next.kind) || isToBeDecided(task) ? `${task.next.what} ${task.next.at ?? ''}` : ''

/** What an agent asks is in its output; what Holdfast asks about a failure is not. */
const isToBeDecided = ({ next, asked_by }: TaskDetailJson) =>
  next.kind === 'awaits_answer' && asked_by === 'holdfast'

const linesOf = (task: TaskDetailJson): string[] => [
  ...(isToBeDecided(task) ? task.questions.slice(0, 1).flatMap((one) => questionLines(one).slice(1)) : []),
  `Next: ${oneLine(nextText(task, Date.now()))}`,
]
