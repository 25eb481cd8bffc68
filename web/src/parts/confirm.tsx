// Owns the question before an order that destroys something.
import { useState } from 'react'
import { Refused } from '../data/connection/call.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

/** A button that asks first. `order` is what happens then; the window closes when it was carried out. */
export function Confirm({
  button,
  title,
  what,
  order,
  kind = 'danger',
  disabled = false,
}: {
  readonly button: string
  readonly title: string
  /** What will be lost, in one sentence. */
  readonly what: string
  readonly order: () => Promise<unknown>
  readonly kind?: 'danger' | 'plain'
  readonly disabled?: boolean
}) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const ask = () => {
    setRefused(undefined)
    setOpen(true)
  }
  const go = async () => {
    setBusy(true)
    setRefused(undefined)
    try {
      await order()
      setOpen(false)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setRefused(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button kind={kind} disabled={disabled} onClick={ask}>
        {button}
      </Button>
      {/* Whoever closed it while the order is under way would not hear that it was refused. */}
      <Dialog open={open} onClose={() => setOpen(false)} label={title} locked={busy}>
        <div className="p-5">
          <h2 className="font-semibold text-lg">{title}</h2>
          <p className="mt-2 text-mut">{what}</p>
          {refused !== undefined && (
            <div className="mt-3">
              <Problem refused={refused} />
            </div>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <Button disabled={busy} onClick={() => setOpen(false)}>
              Leave it
            </Button>
            <Button kind="danger" busy={busy} onClick={go}>
              {button}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
