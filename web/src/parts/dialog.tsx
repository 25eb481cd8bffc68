// Owns windows above the page: the browser's own dialog element, which keeps the focus inside and closes with Escape. The focus
// goes back to where it was.
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classes } from './classes.ts'

export function Dialog({
  open,
  onClose,
  label,
  children,
  className,
  locked = false,
}: {
  readonly open: boolean
  readonly onClose: () => void
  readonly label: string
  readonly children: ReactNode
  readonly className?: string
  /** It cannot be closed now. */
  readonly locked?: boolean
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (!open) return
    const before = document.activeElement
    const shown = dialog.current
    shown?.showModal()
    return () => {
      // Nothing behind a window takes the focus: one that is still there has to close first.
      if (shown?.isConnected) shown.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [open])
  if (!open) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is one on the ground beside it.
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => locked && event.preventDefault()}
      // A browser closes it all the same when Escape is pressed twice.
      onClose={() => (locked ? dialog.current?.showModal() : onClose())}
      onClick={(event) => event.target === dialog.current && !locked && onClose()}
      className={classes(
        'mx-auto mt-[12vh] w-[min(560px,calc(100vw-24px))] rounded-lg border border-line bg-panel text-ink shadow-high outline-none backdrop:bg-black/35',
        className,
      )}
    >
      {children}
    </dialog>
  )
}
