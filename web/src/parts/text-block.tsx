import { classes } from './classes.ts'

/** Text as it is, in a box that scrolls. */
export const TextBlock = ({
  text,
  label,
  wrap = false,
}: {
  readonly text: string
  readonly label: string
  readonly wrap?: boolean
}) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that keys must reach it.
    tabIndex={0}
    className="max-h-[60vh] overflow-auto rounded-md border border-line bg-code p-3"
  >
    <pre className={classes('text-xs leading-snug', wrap && 'whitespace-pre-wrap')}>{text}</pre>
  </section>
)
