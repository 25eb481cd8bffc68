// Owns the agent's statusline, `folder | ctx(N%) | HH:MM:SS`. A clock that moves overrules all other checks. Pure.

export type Statusline = {
  readonly folder: string
  readonly contextPercent: number
  /** HH:MM:SS. */
  readonly clock: string
}

const STATUSLINE = /^\s*(\S.*?) \| ctx\((\d{1,3})%\) \| ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\s|$)/
/** Agents draw only a line or two below the statusline. A match further up is text that an agent wrote. */
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

/** Any change counts as an advance: a clock goes from 23:59:59 to 00:00:00, and clocks are set back. */
export function clockMove(previous: string | null, current: string | null): ClockMove {
  if (current === null) return 'absent'
  if (previous === null) return 'first'
  return previous === current ? 'unchanged' : 'advanced'
}

/** What the clock makes of a session that all other checks call `stuck`. */
export const statuslineGate = {
  advanced: 'just_started',
  unchanged: 'stuck',
  first: 'just_started',
  absent: 'stuck',
} as const satisfies Record<ClockMove, 'just_started' | 'stuck'>

export const clockProvesLife = (previous: string | null, current: string | null) =>
  statuslineGate[clockMove(previous, current)] !== 'stuck'
