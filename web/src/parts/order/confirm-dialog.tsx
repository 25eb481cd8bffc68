// Owns the question before an order that destroys something, and what came of the order.
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Problem } from '../problem.tsx'

/** `order` is what happens after a yes; the window closes when it was carried out. */
export function ConfirmDialog({
  button,
  title,
  what,
  order,
  onClose,
}: {
  readonly button: string
  readonly title: string
  /** What will be lost, in one sentence. */
  readonly what: string
  readonly order: () => Promise<unknown>
  readonly onClose: () => void
}) {
  const { busy, refused, give } = useOrder(order)
  return (
    // Whoever closed it while the order is under way would not hear that it was refused.
    <Dialog open onClose={onClose} label={title} locked={busy}>
      <div className="p-5">
        <h2 className="font-semibold text-lg">{title}</h2>
        <p className="mt-2 text-mut">{what}</p>
        {refused !== undefined && (
          <div className="mt-3">
            <Problem refused={refused} />
          </div>
        )}
        <div className="mt-5 flex justify-end gap-2">
          <Button disabled={busy} onClick={onClose}>
            Leave it
          </Button>
          <Button kind="danger" busy={busy} onClick={async () => (await give()) && onClose()}>
            {button}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
