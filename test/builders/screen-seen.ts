import type { ScreenSeen } from '../../src/delivery/typing/screen-seen.ts'

/** A screen that was seen at work since something was said, with what the test cares about changed. */
export const aScreenSeen = (changes: Partial<ScreenSeen> = {}): ScreenSeen => ({
  phase: 'idle',
  dialog: undefined,
  looks: 1,
  activeAt: 1,
  worked: true,
  changed: true,
  rested: false,
  ...changes,
})
