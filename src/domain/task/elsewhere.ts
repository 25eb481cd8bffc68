// Owns what is known of something that belongs to another daemon on the same store.
import type { NodeId } from '../names/ids.ts'

export type Elsewhere = {
  readonly nodeId: NodeId
  readonly host: string
  /** Epoch ms since when nothing was heard of that daemon; null while it gives signs of life. */
  readonly silentSince: number | null
}
