// Owns the card of a thread that is blocked: its agents may not post until a person lets it go on.
import { Link } from 'wouter'
import type { ThreadJson } from '../../../../src/protocol/json/thread-json.ts'
import { letThreadGoOn } from '../../data/installation/threads.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Lasting } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Problem } from '../../parts/problem.tsx'
import { sentence } from '../../words/sentence.ts'
import { timeOf } from '../../words/time.ts'

export function ThreadNeed({ thread: { thread_id, title, blocked } }: { readonly thread: ThreadJson }) {
  const go = useOrder(() => letThreadGoOn(thread_id))
  return (
    <Card mark="red" label={title}>
      <div className="flex flex-col gap-3 px-4 py-3.5">
        <div className="flex items-center gap-2.5 max-md:flex-wrap">
          <Chip word="blocked" tone="red" />
          <Link
            href={`/threads/${thread_id}`}
            className="min-w-0 truncate font-semibold hover:underline max-md:order-last max-md:w-full max-md:whitespace-normal max-md:wrap-anywhere"
          >
            {title}
          </Link>
          <span className="ml-auto text-mut text-sm">
            {blocked !== null && <Lasting at={timeOf(blocked.at)} />}
          </span>
        </div>
        <p>
          {blocked !== null && sentence(blocked.why)}{' '}
          <span className="text-mut">Agents may not post to this thread until somebody lets it go on.</span>
        </p>
        <p>
          <Button busy={go.busy} onClick={() => void go.give()}>
            Let it go on
          </Button>
        </p>
        {go.refused !== undefined && <Problem refused={go.refused} />}
      </div>
    </Card>
  )
}
