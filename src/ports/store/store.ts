// Owns what the core asks of the store. The store is several small ports, so that each function names the part it uses.

import type { NodeId } from '../../domain/names/ids.ts'
import type { AuditReads } from './audit.ts'
import type { Commits } from './commits.ts'
import type { ConversationReads } from './conversation.ts'
import type { GateReads } from './gates.ts'
import type { JournalReaders, JournalReads } from './journal.ts'
import type { NodeReads, NodeSigns } from './nodes.ts'
import type { NoticeReads } from './notices.ts'
import type { OrderReads } from './orders.ts'
import type { OutboxReads } from './outbox.ts'
import type { Queue } from './queue.ts'
import type { RequestKeyReads } from './request-keys.ts'
import type { ArchiveReads, Pruning } from './retention.ts'
import type { RunReads } from './runs.ts'
import type { RuntimeReads } from './runtimes.ts'
import type { TaskLists } from './task-lists.ts'
import type { TaskNames, TaskReads } from './tasks.ts'
import type { ThreadReads } from './threads.ts'
import type { TriggerReads } from './triggers.ts'
import type { WorkspaceReads } from './workspaces.ts'

/** Whose store this is: the node, and the epoch that all its writes carry. */
export interface OwnNode {
  readonly nodeId: NodeId
  readonly epoch: number
}

/**
 * Everything that Holdfast must not forget. Every write carries the epoch that was taken when the store was opened: when
 * another daemon has taken a newer epoch, writes throw STALE_EPOCH and change nothing. A full disk throws DISK_FULL, a
 * locked database STORE_LOCKED.
 */
export interface Store
  extends Commits,
    TaskReads,
    TaskLists,
    TaskNames,
    Queue,
    RunReads,
    RuntimeReads,
    ConversationReads,
    TriggerReads,
    GateReads,
    OrderReads,
    RequestKeyReads,
    AuditReads,
    WorkspaceReads,
    JournalReads,
    JournalReaders,
    ThreadReads,
    OutboxReads,
    NoticeReads,
    ArchiveReads,
    Pruning,
    NodeReads,
    NodeSigns,
    OwnNode {
  /** Throws what keeps the store from being written now. Changes nothing. */
  checkWrites(): Promise<void>
  close(): Promise<void>
}

/** The part of the store that a function reads. */
export type Reads<Part> = { readonly store: Part }
