// Owns a button that asks first.
import { useState } from 'react'
import { Button } from '../button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

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
  return (
    <>
      <Button kind={kind} disabled={disabled} onClick={() => setOpen(true)}>
        {button}
      </Button>
      {open && (
        <ConfirmDialog
          button={button}
          title={title}
          what={what}
          order={order}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
