import type { ReactNode, Ref } from 'react'
import { Link } from 'wouter'

/** A row of a list: a mark, a title that leads somewhere, a line below, and figures at the right. */
export const Row = ({
  mark,
  title,
  href,
  below,
  right,
  task,
  ref,
}: {
  readonly mark?: ReactNode
  readonly title: string
  readonly href?: string
  readonly below?: ReactNode
  readonly right?: ReactNode
  /** The id of the task that it stands for: the palette gives it orders. */
  readonly task?: string
  readonly ref?: Ref<HTMLLIElement>
}) => (
  <li
    ref={ref}
    data-task={task}
    className="relative flex items-center gap-3.5 px-4 py-2.5 has-[a:hover]:bg-soft/60"
  >
    {mark !== undefined && <span className="flex shrink-0">{mark}</span>}
    <span className="flex min-w-0 flex-1 flex-col">
      {href === undefined ? (
        <b className="truncate font-semibold max-md:line-clamp-2 max-md:whitespace-normal">{title}</b>
      ) : (
        <Link
          href={href}
          className="truncate font-semibold max-md:line-clamp-2 max-md:whitespace-normal after:absolute after:inset-0 focus-visible:outline-offset-4"
        >
          {title}
        </Link>
      )}
      {below !== undefined && <span className="truncate text-mut text-sm">{below}</span>}
    </span>
    {right !== undefined && (
      <span className="flex shrink-0 items-center gap-4 text-right text-mut text-sm">{right}</span>
    )}
  </li>
)
