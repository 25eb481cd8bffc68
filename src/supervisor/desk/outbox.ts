import type { TaskId } from '../../domain/names/ids.ts'
import type { OutboxReads, OutboxRow } from '../../ports/outbox.ts'
import type { Reads } from '../../ports/store.ts'

export const outboxDesk = ({ store }: Reads<OutboxReads>) => ({
  /** What this task is to be told and no trigger tells yet, in the order in which it happened. */
  unboundFor: (parentId: TaskId): Promise<OutboxRow[]> => store.unboundFor(parentId),
})
