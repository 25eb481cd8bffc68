// Owns the words for what belongs to another daemon on the same store.
import type { ElsewhereJson } from '../../../protocol/json/daemon-json.ts'
import { localSecond } from '../print/time.ts'

/** Earlier daemons do not tell. */
export type MayBeElsewhere = { readonly elsewhere?: ElsewhereJson | null }

/** Null while the daemon of it is heard of, which this one always is. */
export const silentSince = ({ elsewhere }: MayBeElsewhere): string | null => elsewhere?.silent_since ?? null

/** `host (4f0b7c1e)`; null for what is of this daemon. Two daemons may have one host. */
export const nodeText = ({ elsewhere }: MayBeElsewhere): string | null =>
  elsewhere ? `${elsewhere.host} (${elsewhere.node_id.slice(0, 8)})` : null

/** The same, and since when nothing was heard of it. */
export function nodeLine(one: MayBeElsewhere): string | null {
  const since = silentSince(one)
  const node = nodeText(one)
  return node === null || since === null ? node : `${node}, not heard of since ${localSecond(since)}`
}
