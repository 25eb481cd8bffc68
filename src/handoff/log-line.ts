// Owns how a line of session.log and orchestrator.log looks.
import type { TaskId } from '../domain/ids.ts'
import { printable } from '../domain/names.ts'
import { iso } from '../domain/session-record.ts'
import type { LogLine } from '../ports/handoff.ts'

const LONGEST_MESSAGE = 4000
const ASIDE = 'Handoff directory: '

/** Newlines and control bytes in a message cannot forge a second line. */
export const sessionLine = ({ at, level, message }: LogLine) =>
  `[${iso(at)}] [${level}] ${oneLine(message)}\n`

export const orchestratorLine = (id: TaskId, { at, level, message }: LogLine) =>
  `[${iso(at)}] [${level}] [${id}] ${oneLine(message)}\n`

/** Our own remark on the view. The log's other lines come from the store and are counted; this one is not among them. */
export const aside = (at: number, trouble: string): LogLine => ({
  at,
  level: 'WARN',
  message: `${ASIDE}${trouble}`,
})

const ASIDE_LINE = new RegExp(`^\\[[^\\]]*\\] \\[WARN\\] ${ASIDE}`)
export const isAside = (line: string) => ASIDE_LINE.test(line)

const oneLine = (message: string) => printable(message.replace(/\s+/g, ' ').trim(), LONGEST_MESSAGE)
