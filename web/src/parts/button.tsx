import type { ButtonHTMLAttributes } from 'react'
import { classes } from './classes.ts'

type Kind = 'plain' | 'primary' | 'quiet' | 'danger'

const KINDS: Readonly<Record<Kind, string>> = {
  plain: 'border-edge/70 bg-panel hover:bg-soft',
  primary: 'border-accent bg-accent font-semibold text-on-accent hover:brightness-95',
  quiet: 'border-transparent text-mut hover:bg-soft hover:text-ink',
  danger: 'border-edge/70 bg-panel text-red hover:bg-red/8',
}

/** `busy`: it was pressed, and the daemon has not answered yet. */
export const Button = ({
  kind = 'plain',
  busy = false,
  className,
  disabled,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly kind?: Kind; readonly busy?: boolean }) => (
  <button
    type="button"
    {...rest}
    aria-busy={busy || undefined}
    disabled={disabled || busy}
    className={classes(
      // A word is broken only where it is longer than the line.
      'inline-flex items-center justify-center gap-1.5 wrap-break-word rounded-md border px-3 py-1.5 disabled:opacity-55',
      KINDS[kind],
      busy && 'pulse-soft',
      className,
    )}
  />
)
