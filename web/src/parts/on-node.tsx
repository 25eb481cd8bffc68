// Owns saying that something belongs to another daemon on the same store, and whether that is still heard of.
import type { ElsewhereJson } from '../../../src/protocol/json/daemon-json.ts'
import { timeOrNull } from '../words/time.ts'
import { Ago } from './age.tsx'

export function OnNode({ elsewhere }: { readonly elsewhere: ElsewhereJson }) {
  const since = timeOrNull(elsewhere.silent_since)
  return (
    <p className="mt-2 text-mut text-sm">
      It belongs to the daemon on {nodeWords(elsewhere)}
      {since === null ? (
        '.'
      ) : (
        <>
          , which was last heard of <Ago at={since} />. What follows is what was known then.
        </>
      )}
    </p>
  )
}

/** Two daemons may have one host. */
const nodeWords = ({ host, node_id }: ElsewhereJson) => `${host} (${node_id.slice(0, 8)})`
