// Owns heartbeats: a run, or a person for it, says that it is alive although nothing else shows it. A heartbeat counts like
// output; that of a run also acknowledges the prompts that the run was given.
import { acknowledgeBy, awaitingAck } from '../../delivery/inputs/acknowledge.ts'
import { HoldfastError } from '../../domain/errors.ts'
import type { Heartbeat } from '../../domain/run/heartbeat.ts'
import type { Caller } from '../../domain/task/caller.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { TaskEvent } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core, Watch } from '../task/core.ts'

/** A run may send a heartbeat only for itself. */
export async function heartbeat(
  { id }: Task,
  from: Caller,
  status: Heartbeat['status'],
  core: Pick<Core, 'clock' | 'commit' | 'watched'> & Reads<ConversationReads & TaskReads>,
): Promise<Heartbeat> {
  const watch = core.watched.get(id)
  // An agent may be quicker with its first heartbeat than this daemon is to see that its process runs.
  const isItself = from.kind === 'run' && from.run === watch?.run.id
  if (watch === undefined || (watch.run.state !== 'live' && !isItself))
    throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has no agent at work.`)
  if (from.kind === 'run' && from.run !== watch.run.id)
    throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may send a heartbeat for itself only.')
  watch.beats++
  const beat = { status, at: core.clock.now() }
  await core.commit({ heartbeat: { runId: watch.run.id, ...beat } })
  if (from.kind === 'run') await acknowledge(watch, core)
  return beat
}

/** Only from a turn that began after the submission: an earlier one says nothing about it. */
async function acknowledge(
  { task, run }: Watch,
  core: Pick<Core, 'clock' | 'commit'> & Reads<ConversationReads & TaskReads>,
): Promise<void> {
  const awaiting = awaitingAck(await core.store.inputs(task.id), run.id).filter(
    ({ heardAt }) => heardAt !== null,
  )
  if (awaiting.length === 0) return
  const began =
    (await core.store.transitions(task.id)).findLast(({ event }) => BEGINS_TURN.has(event))?.at ?? 0
  for (const trigger of awaiting)
    if (began >= (trigger.saidAt ?? Number.POSITIVE_INFINITY))
      await acknowledgeBy(
        trigger,
        'heartbeat',
        [saw('agent', 'a heartbeat from the turn that it began')],
        core,
      )
}

const BEGINS_TURN: ReadonlySet<TaskEvent> = new Set(['turn_began', 'agent_started'])
