// Owns the beginning of a turn by a prompt of ours.
import { moveTask } from '../../changes/move-task.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { DeliveryNeeds } from '../needs.ts'
import type { Recipient } from './recipient.ts'

/** The move of the task, to be stored together with what is said: nobody sees a task idle that has just been told something. */
export const turnBegins = (
  { number, by }: Input,
  { id }: Pick<Task, 'id'>,
  at: number,
): Pick<Change, 'task'> => ({
  task: moveTask({
    id,
    from: 'running',
    event: 'turn_began',
    reason: `prompt ${number} from ${by}`,
    evidence: [saw('store', `input ${number} was sent`)],
    at,
  }),
})

/** For what is said by a line: that is stored before the line is written, and the turn begins with the line. */
export async function beginTurn(
  input: Input,
  { task }: Pick<Recipient, 'task'>,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'>,
): Promise<void> {
  await needs.commit(turnBegins(input, task, needs.clock.now()))
}

/**
 * Whether the next prompt begins a turn. A resumed terminal run is `starting` until its screen shows its box. A headless
 * run begins its first turn with its start.
 */
export const isBetweenTurns = ({ phase, mode }: Pick<Task, 'phase' | 'mode'>) =>
  phase === 'idle' || (phase === 'starting' && mode === 'interactive')
