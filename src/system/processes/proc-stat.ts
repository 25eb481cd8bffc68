// Owns reading /proc/<pid>.
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { codeOf } from '../../domain/system-error.ts'

export type ProcStat = {
  readonly pid: number
  readonly state: string
  readonly ppid: number
  readonly group: number
  /** The session; equal to the pid of its leader, alive or not. */
  readonly session: number
  /** The group that its terminal listens to; -1 without a terminal. */
  readonly foregroundGroup: number
  /** Its first thread is about to end, or has ended. It shows no memory any more, but may still hold files. */
  readonly isExiting: boolean
  /** How many threads are left, the first one counted even if it has ended. */
  readonly threads: number
  readonly startTicks: number
  /** Its own, and that of the children it has waited for. */
  readonly cpuMs: number
}

/** What the kernel shows to programs, whatever it counts in itself. */
const TICK_MS = 10
/** The kernel's own flag. */
const PF_EXITING = 0x4

/** Of all processes but these. */
export const listPids = (but: ReadonlySet<number>): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && !but.has(pid))

/** One for each boot of the machine. Throws where there is no /proc. */
export const readBootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()

/** Undefined when there is no such process, or no /proc. */
export function readStat(pid: number | 'self'): ProcStat | undefined {
  return parseStat(readProc(`/proc/${pid}/stat`)?.toString('latin1') ?? '')
}

export function parseStat(text: string): ProcStat | undefined {
  const fields = fieldsAfterName(text)
  const pid = Number(text.split(' ', 1)[0])
  const numbers = [1, 2, 3, 5, 6, 17, 19].map((index) => Number(fields[index]))
  const [ppid = 0, group = 0, session = 0, foregroundGroup = 0, flags = 0, threads = 0, startTicks] = numbers
  if (!pid || !startTicks) return undefined
  const cpuMs = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
  const isExiting = (flags & PF_EXITING) !== 0
  const state = fields[0] ?? ''
  return { pid, state, ppid, group, session, foregroundGroup, isExiting, threads, startTicks, cpuMs }
}

/** The name in field 2 may hold blanks and parentheses, so fields are counted from its end. */
const fieldsAfterName = (text: string) => text.slice(text.lastIndexOf(')') + 2).split(' ')

/** Where in stat, after the name, the kernel tells from where to where these lie in the memory of the process. */
const BOUNDS_OF = { cmdline: [45, 46], environ: [47, 48] } as const

/**
 * Of a file that was just read empty. In the midst of exec a process has neither arguments nor environment; a moment
 * later it has. For ever without are a kernel thread, which has no memory, and what was given nothing.
 */
function isEmptyInExec(pid: number, file: keyof typeof BOUNDS_OF): boolean {
  const text = readProc(`/proc/${pid}/stat`)
  if (!text) return false
  const fields = fieldsAfterName(text.toString('latin1'))
  const [memory, code, start, end] = [20, 23, ...BOUNDS_OF[file]].map((index) => Number(fields[index]))
  // The last that exec tells is where the code lies; until then, start and end may be equal for a moment.
  return memory !== 0 && (code === 0 || start !== end)
}

/**
 * A zombie has ended; only its parent has not looked yet. But the state is that of the first thread alone: while another
 * one is left, the process still runs, or at least still holds its files and sockets.
 */
export const isGone = ({ state, threads }: ProcStat) => (state === 'Z' || state === 'X') && threads <= 1

/** What a process was given cannot be told in this moment: it is in the midst of exec, or of its end. */
export const UNKNOWN_YET = Symbol('untold')

/** The arguments or the environment a process was started with. Undefined and null as for `readProc`. */
export function readStartData(
  pid: number,
  file: 'cmdline' | 'environ',
): Buffer | undefined | null | typeof UNKNOWN_YET {
  const told = readProc(`/proc/${pid}/${file}`)
  if (told === null || (told !== undefined && told.length > 0)) return told
  // Kernels differ: of a process that shows no memory, the file is empty or cannot be opened.
  const stat = readStat(pid)
  if (stat?.isExiting && !isGone(stat)) return readFromThreads(pid, file)
  if (told === undefined) return undefined
  return isEmptyInExec(pid, file) ? UNKNOWN_YET : Buffer.alloc(0)
}

/** The memory of a process is shared by its threads, but one that has ended shows none of it. */
function readFromThreads(pid: number, file: 'cmdline' | 'environ'): Buffer | typeof UNKNOWN_YET {
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    const told = readProc(`/proc/${pid}/task/${thread}/${file}`)
    if (told && told.length > 0) return told
  }
  return UNKNOWN_YET
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Shared by all reads: the kernel tells no size, and a fresh buffer for each of thousands is what would take time. */
let buffer = Buffer.allocUnsafe(64 * 1024)

/** Undefined when the process has ended, null when it belongs to somebody else. Good until the next read. */
function readProc(path: string): Buffer | undefined | null {
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
