import type { Recipient } from '../inputs/recipient.ts'
import type { BoxSeen } from './box-seen.ts'
import type { Kept } from './kept-back.ts'
import type { ScreenSeen } from './screen-seen.ts'

export type TerminalRecipient = Recipient & {
  /** What the screen of a terminal run showed since something was last said or told. */
  screen: ScreenSeen | null
  /** What its box showed while something waits to be typed, or to be seen as sent. */
  box: BoxSeen | null
  /** Why what is to be said next is not said; null where nothing waits for the terminal. */
  kept: Kept | null
}
