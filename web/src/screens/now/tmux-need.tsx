// Owns the card that says that tasks wait for tmux: one for all of them, with what can be done.
import { Link } from 'wouter'
import type { TmuxOutageJson } from '../../../../src/protocol/json/daemon-json.ts'
import { tryTmux } from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Lasting, Until } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Problem } from '../../parts/problem.tsx'
import { sentence } from '../../words/sentence.ts'
import { timeOf, timeOrNull } from '../../words/time.ts'

export function TmuxNeed({ outage }: { readonly outage: TmuxOutageJson }) {
  const again = useOrder(tryTmux)
  const retry = timeOrNull(outage.retry_at)
  const many = outage.waiting.length
  return (
    <Card mark="red" label="tmux">
      <div className="flex flex-col gap-3 px-4 py-3.5">
        <div className="flex items-center gap-2.5">
          <Chip word="no terminals" tone="red" />
          <Link href="/health" className="font-semibold hover:underline">
            tmux
          </Link>
          <span className="ml-auto text-mut text-sm">
            <Lasting at={timeOf(outage.since)} />
          </span>
        </div>
        <p>
          {sentence(outage.why)} {many === 1 ? 'One task waits' : `${many} tasks wait`} for a terminal.
          {retry !== null && (
            <>
              {' '}
              The next try is <Until at={retry} />.
            </>
          )}
        </p>
        <p>
          <Button busy={again.busy} onClick={() => void again.give()}>
            Try it now
          </Button>
        </p>
        {again.refused !== undefined && <Problem refused={again.refused} />}
      </div>
    </Card>
  )
}
