import type { Recipient } from '../inputs/recipient.ts'
import type { BoxSeen } from './box-seen.ts'
import type { Kept } from './kept-back.ts'
import type { ScreenSeen } from './screen-seen.ts'

export type TerminalRecipient = Recipient & {
  /** What the run's screen has shown since something was said to the agent or its task changed. */
  screen: ScreenSeen | null
  /** What the agent's box has shown while a prompt waits to be typed or to be seen as sent; null when none does. */
  box: BoxSeen | null
  /** The next input, if it is kept back, and why; null when nothing waits for the terminal. */
  kept: Kept | null
}
