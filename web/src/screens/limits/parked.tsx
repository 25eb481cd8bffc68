import type { ParkedJson } from '../../../../src/protocol/json/recovery-json.ts'
import { refresh } from '../../data/held/resource.ts'
import { unparkTask } from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { useServerNow } from '../../data/screen/now.ts'
import { Until } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Row } from '../../parts/row.tsx'
import { timeOrNull, withReadableTimes } from '../../words/time.ts'
import { useTitleOf } from './task-link.tsx'

/** A task that waits for a time of its own. */
export function Parked({ parked: { session_id, agent, reason, until } }: { readonly parked: ParkedJson }) {
  const unpark = useOrder(async () => {
    await unparkTask(session_id)
    refresh(['parks'])
  })
  const at = timeOrNull(until)
  const title = useTitleOf(session_id)
  return (
    <Row
      mark={<Chip word="parked" tone="indigo" wide />}
      title={title ?? session_id}
      href={`/tasks/${session_id}`}
      task={session_id}
      below={
        <>
          {agent}: {withReadableTimes(reason ?? 'no reason is known', useServerNow() ?? 0)}
          {unpark.refused !== undefined && <span className="text-red"> {unpark.refused.message}</span>}
        </>
      }
      right={
        <>
          {at === null ? 'no time is set' : <Until at={at} />}
          <Button className="relative z-10" busy={unpark.busy} onClick={() => void unpark.give()}>
            Go on now
          </Button>
        </>
      }
    />
  )
}
