// Owns what is known of the daemons that share a store.
import type { NodeId } from '../../domain/names/ids.ts'

export type NodeHeard = {
  readonly id: NodeId
  readonly host: string
  /** For how long it has given no sign of life, by the clock of the store. */
  readonly silentMs: number
}

export interface NodeReads {
  /** All that ever used this store, with this one. */
  nodes(): Promise<NodeHeard[]>
}

export interface NodeSigns {
  /** Says that this node is alive. It waits neither for the journal nor for the disk. */
  giveSign(): Promise<void>
}
