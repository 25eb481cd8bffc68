// Owns reading /proc/<pid>.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { codeOf } from './disk-error.ts'

export type ProcStat = {
  readonly pid: number
  readonly state: string
  readonly ppid: number
  /** The session; equal to the pid of its leader, alive or not. */
  readonly session: number
  readonly startTicks: number
  /** Its own, and that of the children it has waited for. */
  readonly cpuMs: number
}

/** What the kernel shows to programs, whatever it counts in itself. */
const TICK_MS = 10

/** Of all processes but these. */
export const listPids = (but: ReadonlySet<number>): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && !but.has(pid))

/** Undefined when there is no such process. */
export function readStat(pid: number): ProcStat | undefined {
  return parseStat(readProc(`/proc/${pid}/stat`)?.toString('latin1') ?? '')
}

export function parseStat(text: string): ProcStat | undefined {
  const fields = fieldsAfterName(text)
  const [pid, ppid, session, startTicks] = [text.split(' ', 1)[0], fields[1], fields[3], fields[19]].map(
    Number,
  )
  if (!pid || ppid === undefined || session === undefined || !startTicks) return undefined
  const cpuMs = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
  return { pid, state: fields[0] ?? '', ppid, session, startTicks, cpuMs }
}

/** The name in field 2 may hold blanks and parentheses, so fields are counted from its end. */
const fieldsAfterName = (text: string) => text.slice(text.lastIndexOf(')') + 2).split(' ')

/** Where in stat, after the name, the kernel tells from where to where these lie in the memory of the process. */
const ENDS_OF = { cmdline: [45, 46], environ: [47, 48] } as const

/**
 * Of a file that was just read empty. In the midst of exec a process has neither arguments nor environment; a moment
 * later it has. For ever without are a kernel thread, which has no memory, and what was given nothing.
 */
export function isEmptyInExec(pid: number, file: keyof typeof ENDS_OF): boolean {
  const text = readProc(`/proc/${pid}/stat`)
  if (!text) return false
  const fields = fieldsAfterName(text.toString('latin1'))
  const [memory, code, start, end] = [20, 23, ...ENDS_OF[file]].map((index) => Number(fields[index]))
  // The last that exec tells is where the code lies; until then, start and end may be equal for a moment.
  return memory !== 0 && (code === 0 || start !== end)
}

/** A zombie has ended; only its parent has not looked yet. */
export const isGone = ({ state }: ProcStat) => state === 'Z' || state === 'X'

/** Shared by all reads: the kernel tells no size, and a fresh buffer for each of thousands is what would take time. */
let buffer = Buffer.allocUnsafe(64 * 1024)

/** Undefined when the process has ended, null when it belongs to somebody else. Good until the next read. */
export function readProc(path: string): Buffer | undefined | null {
  try {
    const file = openSync(path, 'r')
    try {
      return readWhole(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM' ? null : undefined
  }
}

/** A full buffer may have cut it off. */
function readWhole(file: number): Buffer {
  for (;;) {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    if (length < buffer.length) return buffer.subarray(0, length)
    buffer = Buffer.allocUnsafe(buffer.length * 2)
  }
}
