// Owns the button of an order: it asks first where the order says so, and tells why the order was refused.
import { giveOrder } from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import type { Offered } from '../../words/offered.ts'
import { Button } from '../button.tsx'
import { Problem } from '../problem.tsx'
import { Confirm } from './confirm.tsx'

export const OfferedButton = ({ offered: { words, order, asks } }: { readonly offered: Offered }) => {
  const give = () => giveOrder(order)
  return asks === undefined ? (
    <Now words={words} order={give} />
  ) : (
    <Confirm button={words} order={give} {...asks} />
  )
}

function Now({ words, order }: { readonly words: string; readonly order: () => Promise<unknown> }) {
  const { busy, refused, give } = useOrder(order)
  return (
    <>
      <Button busy={busy} onClick={() => give()}>
        {words}
      </Button>
      {refused !== undefined && <Problem refused={refused} />}
    </>
  )
}
