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
  /** The first thread is about to end, or has ended. The process shows no memory any more, but may still hold files. */
  readonly isExiting: boolean
  /** How many threads are left, the first one counted even if it has ended. */
  readonly threads: number
  readonly startTicks: number
  /** CPU time of the process and of the children it has waited for. */
  readonly cpuMs: number
}

/** The unit of times in /proc, whatever unit the kernel uses inside. */
const TICK_MS = 10
/** The kernel's flag for a process that is ending. */
const PF_EXITING = 0x4

/** The pids of all processes except `but`. */
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

/** Indexes of the fields, after the name, that say where in the memory of the process these begin and end. */
const BOUNDS_OF = { cmdline: [45, 46], environ: [47, 48] } as const

/**
 * Whether a file that was just read as empty is empty only for the moment: during exec a process has neither arguments
 * nor environment. It stays empty for a kernel thread, which has no memory, and for a process that was given nothing.
 */
function isEmptyInExec(pid: number, file: keyof typeof BOUNDS_OF): boolean {
  const text = readProc(`/proc/${pid}/stat`)
  if (!text) return false
  const fields = fieldsAfterName(text.toString('latin1'))
  const [memory, code, start, end] = [20, 23, ...BOUNDS_OF[file]].map((index) => Number(fields[index]))
  // exec sets the address of the code last; until then, start and end may be equal for a moment.
  return memory !== 0 && (code === 0 || start !== end)
}

/**
 * A zombie has ended; only its parent has not looked yet. But the state is that of the first thread alone: while another
 * one is left, the process still runs, or at least still holds its files and sockets.
 */
export const isGone = ({ state, threads }: ProcStat) => (state === 'Z' || state === 'X') && threads <= 1

/** The start data of a process cannot be read at this moment: it is in the middle of exec, or is ending. */
export const UNKNOWN_YET = Symbol('untold')

/** The arguments or the environment that a process was started with. Undefined and null as for `readProc`. */
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

/** Shared by all reads: files in /proc have no size, and a new buffer for each of thousands of reads would take time. */
let buffer = Buffer.allocUnsafe(64 * 1024)

/** Undefined when the process has ended, null when it belongs to somebody else. The bytes are valid until the next read. */
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

/** A read that fills the buffer may have been cut off: it is repeated with a larger one. */
function readWhole(file: number): Buffer {
  for (;;) {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    if (length < buffer.length) return buffer.subarray(0, length)
    buffer = Buffer.allocUnsafe(buffer.length * 2)
  }
}
