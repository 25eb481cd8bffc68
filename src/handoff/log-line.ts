// Owns how a line of session.log and orchestrator.log looks.
import type { TaskId } from '../domain/names/ids.ts'
import { printable } from '../domain/names/names.ts'
import { iso } from '../domain/task/session-record.ts'
import type { LogLine } from '../ports/files/handoff.ts'

const LONGEST_MESSAGE = 4000
/** What a remark can be about. */
export type Remark = 'Handoff directory' | 'Disk'

/** Newlines and control bytes in a message cannot forge a second line. */
export const sessionLine = ({ at, level, message }: LogLine) =>
  `[${iso(at)}] [${level}] ${oneLine(message)}\n`

export const orchestratorLine = (id: TaskId, { at, level, message }: LogLine) =>
  `[${iso(at)}] [${level}] [${id}] ${oneLine(message)}\n`

/** A remark is written by this room. The other lines of the log come from the store and are counted; remarks are not. */
export const remarkLine = (at: number, about: Remark, trouble: string): LogLine => ({
  at,
  level: 'WARN',
  message: `${about}: ${trouble}`,
})

const REMARK_LINE = /^\[[^\]]*\] \[WARN\] (Handoff directory|Disk): /
export const isRemark = (line: string) => REMARK_LINE.test(line)

const oneLine = (message: string) => printable(message.replace(/\s+/g, ' ').trim(), LONGEST_MESSAGE)
