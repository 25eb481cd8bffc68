// Owns what parents are told of their children, on behalf of whoever makes the words.
import type { RunId, TaskId } from '../../../domain/names/ids.ts'
import type { ParentState } from '../../../domain/task/parent-wake.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { Change } from '../../../ports/store/commits.ts'
import type { OutboxKey, OutboxRow } from '../../../ports/store/outbox.ts'
import type { WakesNeeds } from '../../wakes/needs.ts'
import { noteSeen } from '../../wakes/seen-children.ts'
import { type ParentNews, parentState, wakeParent } from '../../wakes/wake-parent.ts'

export const outboxDesk = (core: WakesNeeds) => ({
  /** News of children within this time are told together. */
  quietMs: core.config['wake.quiet'],
  /** What this task is to be told and does not know yet, in the order in which it happened. */
  unboundFor: (parentId: TaskId): Promise<OutboxRow[]> => core.store.unboundFor(parentId),
  /** Undefined when there is none for this event. */
  rowOf: (key: OutboxKey): Promise<OutboxRow | undefined> => core.store.outboxRow(key),
  /** This run was just told how these tasks stand: what its own task started, it need not be told again. */
  seenBy: (run: RunId, tasks: readonly Task[]): Promise<void> => noteSeen(run, tasks, core),
  /** Those that have such rows. */
  parents: (): Promise<TaskId[]> => core.store.parentsToTell(),
  parentState: (parentId: TaskId): Promise<ParentState> => parentState(parentId, core),
  /** What this task was not told is for another one from now on, or for nobody. `told`: what people are told of it. */
  passOn: (readdress: NonNullable<Change['readdress']>, told: Change['event']): Promise<unknown> =>
    core.commit({ readdress, ...(told && { event: told }) }),
  /** False when it could not be told any more, or not now. */
  wake: (parentId: TaskId, news: ParentNews): Promise<boolean> => wakeParent(parentId, news, core),
})
