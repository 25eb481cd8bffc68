import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classes } from './classes.ts'

/** Nearer than this to the end counts as being there. */
const AT_END_PX = 24

/** Text as it is, in a box that scrolls. `follows`: its end stays in sight, unless somebody has scrolled away from it. */
export function TextBlock({
  text,
  label,
  wrap = false,
  follows = false,
  children,
}: {
  readonly text: string
  readonly label: string
  readonly wrap?: boolean
  readonly follows?: boolean
  /** Drawn instead of the text. */
  readonly children?: ReactNode
}) {
  const box = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is why it scrolls.
  useLayoutEffect(() => {
    if (follows && isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [follows, text])
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that keys must reach it.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX
      }}
      className="max-h-[60vh] overflow-auto rounded-md border border-line bg-code p-3"
    >
      <pre className={classes('text-xs leading-snug', wrap && 'whitespace-pre-wrap')}>{children || text}</pre>
    </section>
  )
}
