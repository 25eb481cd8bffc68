import type { StateWord, Tone } from '../words/state.ts'
import { classes } from './classes.ts'

const TONES: Readonly<Record<Tone, string>> = {
  amber: 'tone-amber',
  red: 'tone-red',
  teal: 'tone-teal',
  indigo: 'tone-indigo',
  violet: 'tone-violet',
  blue: 'tone-blue',
  green: 'tone-green',
  grey: 'tone-grey',
}
export const toneClass = (tone: Tone) => TONES[tone]

/** A state as a word. */
export const Chip = ({ word, tone, outline, wide }: StateWord & { readonly wide?: boolean }) => (
  <span
    className={classes(
      'chip',
      TONES[tone],
      outline && 'bg-transparent ring-1 ring-line ring-inset',
      wide && 'min-w-20 text-center max-md:min-w-0',
    )}
  >
    {word}
  </span>
)
