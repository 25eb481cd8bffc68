import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** A sheet of paper on the page. `mark`: a coloured edge for what needs a person. */
export const Card = ({
  children,
  mark,
  className,
  label,
  task,
}: {
  readonly children: ReactNode
  readonly mark?: 'amber' | 'red' | 'grey'
  readonly className?: string
  readonly label?: string
  /** The id of the task that it stands for: the palette gives it orders. */
  readonly task?: string
}) => (
  <article
    aria-label={label}
    data-task={task}
    className={classes(
      'rounded-lg border border-line bg-panel shadow-lift',
      mark === 'amber' && 'border-l-3 border-l-amber',
      mark === 'red' && 'border-l-3 border-l-red',
      mark === 'grey' && 'border-l-3 border-l-edge',
      className,
    )}
  >
    {children}
  </article>
)

/** A card of rows. */
export const Rows = ({ children, label }: { readonly children: ReactNode; readonly label?: string }) => (
  <ul
    aria-label={label}
    className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel shadow-lift"
  >
    {children}
  </ul>
)
