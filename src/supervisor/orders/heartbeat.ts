// Owns heartbeats: a run, or a person for it, says that it is alive although nothing else shows it. A heartbeat counts like output and is not stored.
import { HoldfastError } from '../../domain/errors.ts'
import type { Heartbeat } from '../../domain/run/heartbeat.ts'
import type { Caller } from '../../domain/task/caller.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Core } from '../task/core.ts'

/** A run may send a heartbeat only for itself. */
export function heartbeat(
  { id }: Task,
  from: Caller,
  status: Heartbeat['status'],
  { watched, clock }: Pick<Core, 'clock' | 'watched'>,
): Heartbeat {
  const watch = watched.get(id)
  if (watch === undefined || watch.run.state !== 'live')
    throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has no agent at work.`)
  if (from.kind === 'run' && from.run !== watch.run.id)
    throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may send a heartbeat for itself only.')
  watch.beats++
  watch.heartbeat = { status, at: clock.now() }
  return watch.heartbeat
}
