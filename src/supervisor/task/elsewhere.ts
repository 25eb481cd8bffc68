// Owns what this daemon can say of another one on the same store: where it is, and whether it is still heard of.
import type { NodeId } from '../../domain/names/ids.ts'
import type { Elsewhere } from '../../domain/task/elsewhere.ts'
import type { NodeReads } from '../../ports/store/nodes.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { Core } from './core.ts'

/** A node that is silent for this long has missed several signs of life. */
const SILENT_AFTER_MS = 20_000

type OfNode = { readonly nodeId: NodeId }
type Needs = Pick<Core, 'clock'> & Reads<NodeReads & OwnNode>

/** Tells of each item where it is; null of this daemon's own. The store is asked only when one belongs to another daemon. */
export async function elsewhereAmong(
  items: readonly OfNode[],
  { store, clock }: Needs,
): Promise<(item: OfNode) => Elsewhere | null> {
  if (items.every(({ nodeId }) => nodeId === store.nodeId)) return () => null
  const nodes = new Map((await store.nodes()).map((node) => [node.id, node]))
  const now = clock.now()
  return ({ nodeId }) => {
    if (nodeId === store.nodeId) return null
    const { host = 'an unknown machine', silentMs = 0 } = nodes.get(nodeId) ?? {}
    return { nodeId, host, silentSince: silentMs < SILENT_AFTER_MS ? null : now - silentMs }
  }
}

export const elsewhereOf = async (item: OfNode, needs: Needs): Promise<Elsewhere | null> =>
  (await elsewhereAmong([item], needs))(item)
