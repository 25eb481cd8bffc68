// Owns what is known of the last turn of an agent that came back and is told nothing: the turn had finished, or it was
// cut short. Pure.
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { TaskEvent } from '../../domain/task/machine.ts'
import type { Transition } from '../../ports/store/tasks.ts'

/** Events between two runs, which tell nothing about the turn before them. */
const IN_BETWEEN: ReadonlySet<TaskEvent> = new Set([
  'requeued',
  'reopened',
  'launched',
  'backed_off',
  'parked',
  'person_stopped',
  'escalated',
])
const FINISHED: ReadonlySet<TaskEvent> = new Set(['turn_finished', 'completed', 'verifying'])

/** The first words are stored with tasks, also by earlier versions that ended the sentence otherwise. */
const WAS_CUT = 'its last turn was cut short'
const CUT_SHORT = saw('store', `${WAS_CUT}; it waits for your next prompt`)

/** `story`: all moves of the task, oldest first, up to the start of the run that came back. */
export function lastTurnEvidence(story: readonly Transition[]): Evidence {
  const before = story.slice(0, -1).findLast(({ event }) => !IN_BETWEEN.has(event))
  if (before === undefined || !FINISHED.has(before.event)) return CUT_SHORT
  // An agent that came to rest after a turn was cut short has not finished that turn since.
  const wasCut = before.evidence.some(({ fact }) => fact.startsWith(WAS_CUT))
  return wasCut ? CUT_SHORT : saw('store', 'its last turn had finished')
}
