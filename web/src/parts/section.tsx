import type { ReactNode } from 'react'

/** A part of a screen, with its heading and what it counts. */
export const Section = ({
  title,
  note,
  children,
}: {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
}) => (
  <section>
    <h2 className="mb-2.5 font-semibold text-sm">
      {title} {note !== undefined && <span className="font-normal text-mut">{note}</span>}
    </h2>
    {children}
  </section>
)
