// Owns what concerns the whole page: signed out, not answered, cut off for long, or older than its daemon.
import { live } from '../data/connection/live.ts'
import { otherVersion } from '../data/connection/version.ts'
import { trouble } from '../data/held/resource.ts'
import { useServerNow } from '../data/screen/now.ts'
import { useSignal } from '../data/signal.ts'
import { Button } from '../parts/button.tsx'
import { Copy } from '../parts/copy.tsx'
import { ago } from '../words/time.ts'

export function Notices() {
  const { state } = useSignal(live)
  const other = useSignal(otherVersion)
  const wrong = useSignal(trouble)
  if (state === 'signed_out')
    return (
      <Notice>
        This browser is not signed in any more. What you see is what was last heard. A new link:{' '}
        <Copy text="holdfast web" />
      </Notice>
    )
  if (wrong !== undefined)
    return (
      <Notice>
        <span>
          {wrong.message} <span className="text-mut">{wrong.hint}</span> What is dimmed is what was last
          heard; the page goes on trying.
        </span>
      </Notice>
    )
  if (state === 'cut_off') return <CutOff />
  if (other === undefined) return null
  return (
    <Notice>
      The daemon is version {other}, this page is version {__VERSION__}.
      <Button onClick={() => location.reload()}>Load the new page</Button>
    </Notice>
  )
}

/** A short break is nobody's concern: the page reconnects by itself. */
const LONG_MS = 3000

function CutOff() {
  const now = useServerNow()
  const { lastWord } = useSignal(live)
  if (lastWord === undefined || now === undefined)
    return (
      <Notice>
        The daemon does not answer. The page goes on trying. See <Copy text="holdfast doctor" />
      </Notice>
    )
  if (now - lastWord < LONG_MS) return null
  return (
    <Notice beside={<span className="text-mut">It was last heard {ago(lastWord, now)}.</span>}>
      The daemon does not answer. What you see is from before; the page goes on trying.
    </Notice>
  )
}

/** `beside`: what changes all the time, and is not read out. */
const Notice = ({
  children,
  beside,
}: {
  readonly children: React.ReactNode
  readonly beside?: React.ReactNode
}) => (
  <div className="sticky top-0 z-30 flex flex-wrap items-center gap-3 border-amber/30 border-b bg-[color-mix(in_srgb,var(--amber)_10%,var(--paper))] px-7.5 py-2 text-sm max-md:px-3.5">
    <div role="status" className="flex flex-wrap items-center gap-3">
      {children}
    </div>
    {beside}
  </div>
)
