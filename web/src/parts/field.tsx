// Owns fields of forms: what is asked, what may stand there, and why it was refused.
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

type Wired = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: true }

/** `hint`: what may stand there. `error`: why what stands there was refused. */
export function Field({
  label,
  hint,
  error,
  className,
  children,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly className?: string
  readonly children: (wired: Wired) => ReactNode
}) {
  const id = useId()
  const below = hint !== undefined || error !== undefined
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-semibold text-sm">
        {label}
      </label>
      {children({
        id,
        ...(below ? { 'aria-describedby': `${id}-below` } : {}),
        ...(error === undefined ? {} : { 'aria-invalid': true }),
      })}
      {below && (
        <div id={`${id}-below`} className="mt-1 text-sm">
          {error !== undefined && (
            <p role="alert" className="text-red">
              {error}
            </p>
          )}
          {hint !== undefined && <p className="text-mut">{hint}</p>}
        </div>
      )}
    </div>
  )
}

const BOX =
  'min-h-11 w-full rounded-md border border-edge bg-panel px-3 py-1.5 text-base text-ink placeholder:text-mut aria-invalid:border-red md:min-h-9'

export const TextInput = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={classes(BOX, className)} />
)
export const TextBox = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...rest} className={classes(BOX, className)} />
)
export const Choice = ({ className, ...rest }: ComponentProps<'select'>) => (
  <select {...rest} className={classes(BOX, className)} />
)
