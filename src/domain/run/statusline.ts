// Owns the statusline, `folder | ctx(N%) | HH:MM:SS`: a clock that no other check overrules. Pure.

export type Statusline = {
  readonly folder: string
  readonly contextPercent: number
  /** HH:MM:SS. */
  readonly clock: string
}

const STATUSLINE = /^\s*(\S.*?) \| ctx\((\d{1,3})%\) \| ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\s|$)/
/** Agents draw a line or two below it. Further up it would be something that an agent wrote. */
const BOTTOM_LINES = 6

export function statuslineOf(screen: string): Statusline | undefined {
  const lines = screen.split('\n').filter((line) => line.trim() !== '')
  const found = lines
    .slice(-BOTTOM_LINES)
    .map((line) => STATUSLINE.exec(line))
    .findLast((match) => match !== null)
  const [, folder, percent, clock] = found ?? []
  if (folder === undefined || clock === undefined) return undefined
  return { folder, contextPercent: Number(percent), clock }
}

/** How the clock moved since it was last seen. */
export type ClockMove = 'advanced' | 'unchanged' | 'first' | 'absent'

/** Any change is an advance: it runs over midnight, and clocks are set back. */
export function clockMove(previous: string | null, current: string | null): ClockMove {
  if (current === null) return 'absent'
  if (previous === null) return 'first'
  return previous === current ? 'unchanged' : 'advanced'
}

/** What becomes of `stuck`, the word of all other checks: the clock is the final authority. */
export const statuslineGate = {
  advanced: 'just_started',
  unchanged: 'stuck',
  first: 'just_started',
  absent: 'stuck',
} as const satisfies Record<ClockMove, 'just_started' | 'stuck'>

export const clockProvesLife = (previous: string | null, current: string | null) =>
  statuslineGate[clockMove(previous, current)] !== 'stuck'
