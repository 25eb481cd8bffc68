// Owns an order that was chosen in the palette: it asks first where its button asks, and tells why it was refused.
import { Refused } from '../../data/connection/call.ts'
import { giveOrder } from '../../data/orders/orders.ts'
import { createSignal, useSignal } from '../../data/signal.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/order/confirm-dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { Offered } from '../../words/offered.ts'

/** `title`: of its task. */
type Given = { readonly offered: Offered; readonly title: string; readonly refused?: Refused }

const asked = createSignal<Offered | undefined>(undefined)
/** Under way, or refused. What was carried out shows on the screen. */
const given = createSignal<readonly Given[]>([])

export async function takeOrder(offered: Offered, title: string): Promise<void> {
  if (offered.asks !== undefined) return asked.set(offered)
  const one: Given = { offered, title }
  given.set([...given.get(), one])
  try {
    await giveOrder(offered.order)
    putAway(one)
  } catch (refused) {
    putAway(one)
    if (!(refused instanceof Refused)) throw refused
    given.set([...given.get(), { ...one, refused }])
  }
}

const putAway = (one: Given) => given.set(given.get().filter((other) => other !== one))

export const OrderInHand = () => (
  <>
    <Asked />
    <Told />
  </>
)

function Asked() {
  const offered = useSignal(asked)
  if (offered?.asks === undefined) return null
  const { words, order, asks } = offered
  return (
    <ConfirmDialog
      button={words}
      title={asks.title}
      what={asks.what}
      order={() => giveOrder(order)}
      onClose={() => asked.set(undefined)}
    />
  )
}

function Told() {
  const all = useSignal(given)
  return (
    <div className="fixed inset-x-0 bottom-4 z-40 mx-auto flex w-[min(560px,calc(100vw-24px))] flex-col gap-2 max-md:bottom-20">
      {all.map((one, place) => (
        <section
          // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same order.
          key={place}
          aria-label={`${one.offered.words} “${one.title}”`}
          className="flex flex-wrap items-center gap-3 rounded-lg border border-edge bg-panel px-4 py-3 shadow-high"
        >
          <p role="status" className="min-w-0 flex-1">
            {one.offered.words} “{one.title}”{one.refused === undefined && ' …'}
          </p>
          {one.refused !== undefined && (
            <>
              <Button kind="quiet" onClick={() => putAway(one)}>
                Put away
              </Button>
              <div className="w-full">
                <Problem refused={one.refused} />
              </div>
            </>
          )}
        </section>
      ))}
    </div>
  )
}
