// Owns the agent's screen as text: as wide as its terminal, or, on a phone, with its lines broken.
import { useIsNarrow } from '../../../data/screen/narrow.ts'
import { classes } from '../../../parts/classes.ts'
import { TextBlock } from '../../../parts/text-block.tsx'
import { screenLines, screenText } from '../../../words/screen.ts'

export function ScreenText({ screen }: { readonly screen: string }) {
  const isNarrow = useIsNarrow()
  return (
    <TextBlock label="The agent's screen" text={screenText(screen)} follows>
      {isNarrow && <Lines screen={screen} />}
    </TextBlock>
  )
}

const Lines = ({ screen }: { readonly screen: string }) =>
  screenLines(screen).map(({ text, isRule }, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: a line of a screen has no name but its place.
      key={index}
      className={classes(
        'block min-h-[1lh] text-[11px] leading-snug',
        isRule ? 'overflow-hidden' : 'wrap-anywhere whitespace-pre-wrap',
      )}
    >
      {text}
    </span>
  ))
