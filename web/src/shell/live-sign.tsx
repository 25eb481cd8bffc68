// Owns the sign that says whether what one sees is the present.

import { live } from '../data/connection/live.ts'
import { useHealth } from '../data/installation/health.ts'
import { useSignal } from '../data/signal.ts'
import { Ago } from '../parts/age.tsx'
import { classes } from '../parts/classes.ts'

const WORDS = {
  connecting: 'connecting',
  live: 'live',
  cut_off: 'not connected',
  signed_out: 'signed out',
} as const

/** The name of a node is often a long random one: its beginning is enough to tell two apart. */
const shortName = (node: string) => (node.length > 16 ? node.slice(0, 8) : node)

export function LiveSign() {
  const { state, lastWord } = useSignal(live)
  const node = useHealth().value?.node_id
  const isLive = state === 'live'
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm" data-live={state}>
      <span
        className={classes(
          'size-1.5 rounded-full',
          isLive ? 'bg-green' : 'bg-amber',
          state === 'cut_off' && 'pulse-soft',
        )}
      />
      {/* Only the word is read out when it changes: the age beside it changes every second. */}
      <span role="status" className={isLive ? '' : 'font-semibold text-amber'}>
        {WORDS[state]}
      </span>
      {!isLive && lastWord !== undefined && (
        <span className="text-mut">
          · <Ago at={lastWord} />
        </span>
      )}
      {node !== undefined && (
        <span className="text-mut" title={`node ${node}`}>
          · node {shortName(node)}
        </span>
      )}
    </p>
  )
}
