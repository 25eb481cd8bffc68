// Owns the lines in output.log that separate the runs of a task. The log's new length commits with the run's start or end.
import { messageOf } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import type { GoOn, Way } from '../../domain/task/go-on.ts'
import type { Run } from '../../domain/task/run.ts'
import type { TaskSummary } from '../../domain/task/task.ts'
import type { Verdict } from '../recovering/decide-end.ts'
import type { Core } from '../task/core.ts'

const LONGEST_REASON = 300

export const WAYS: Readonly<Record<Way, string>> = {
  resume: 'resumes its session',
  with_context: 'starts over, and is told what was done',
  fresh: 'starts over',
}

type Ended = Pick<Run, 'number' | 'outputLength'>
/** Returns the log's new length. A run that ended well gets no line: its result is in the log already. */
export async function markEnd(
  task: TaskSummary,
  run: Ended,
  { after, reason }: Verdict,
  core: Pick<Core, 'handoff' | 'log'>,
): Promise<number> {
  if (after.kind === 'verify' || (after.kind === 'end' && after.event === 'completed'))
    return run.outputLength
  return mark(task, run, `run ${run.number} ended: ${oneLine(reason)}`, core)
}

/** Returns the log's length, which is where the next run's output begins. */
export async function markStart(
  task: TaskSummary,
  earlier: Ended | undefined,
  goOn: GoOn | null,
  core: Pick<Core, 'handoff' | 'log'>,
): Promise<number> {
  if (earlier === undefined) return 0
  const how = goOn === null ? 'begins' : WAYS[goOn.how]
  return mark(task, earlier, `run ${earlier.number + 1} ${how}`, core)
}

/** A line that cannot be written is only logged: the run starts or ends all the same. */
async function mark(
  task: TaskSummary,
  { outputLength }: Ended,
  words: string,
  core: Pick<Core, 'handoff' | 'log'>,
): Promise<number> {
  try {
    return await core.handoff.appendOutput(task, outputLength, `[holdfast] ${words}\n`)
  } catch (error) {
    core.log.warn('could not mark a run in its log', { task: task.id, error: messageOf(error) })
    return outputLength
  }
}

const oneLine = (text: string) => printable(text.replace(/\s+/g, ' ').trim(), LONGEST_REASON)
