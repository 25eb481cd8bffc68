// Owns finding and ending everything that belongs to one directory, such as a scratch home.
import { isGone, listPids, readStartData, readStat, UNKNOWN_YET } from './proc-stat.ts'

export type ProcessBelow = { readonly pid: number; readonly argv: readonly string[] }

const FILES = ['cmdline', 'environ'] as const

const MOST_ROUNDS = 200
const BETWEEN_ROUNDS_MS = 10
const MOST_LOOKS = 100
const BETWEEN_LOOKS_MS = 5

/**
 * Every living process that was given a path below the directory, as an argument or in its environment; never ourselves.
 * Processes are listed again while some of them end: they may have left children that the list lacks.
 */
export function processesBelow(directory: string): ProcessBelow[] {
  const path = `${directory}/`
  const found: ProcessBelow[] = []
  const done = new Set([1, process.pid])
  for (let looks = 1; ; looks++) {
    let hasEnded = false
    for (const pid of listPids(done)) {
      done.add(pid)
      const { argv, environ } = startDataOf(pid)
      const stat = readStat(pid)
      if (stat === undefined || isGone(stat)) hasEnded = true
      else if (argv.includes(path) || environ.includes(path)) found.push({ pid, argv: argv.split('\0') })
    }
    if (!hasEnded || looks === MOST_LOOKS) return found
  }
}

/** What a process was started with. One in the middle of exec, or of its end, is waited for. */
function startDataOf(pid: number): { argv: string; environ: string } {
  for (let looks = 1; ; looks++) {
    // Each is copied at once: the buffer is shared by all reads.
    const [argv, environ] = FILES.map((file) => textOf(readStartData(pid, file)))
    const isTold = argv !== UNKNOWN_YET && environ !== UNKNOWN_YET
    if (isTold || looks === MOST_LOOKS) return { argv: orEmpty(argv), environ: orEmpty(environ) }
    pause(BETWEEN_LOOKS_MS)
  }
}

const textOf = (told: ReturnType<typeof readStartData>) =>
  told === UNKNOWN_YET ? UNKNOWN_YET : told?.toString()
const orEmpty = (text: string | undefined | typeof UNKNOWN_YET) => (typeof text === 'string' ? text : '')

/**
 * kill -9 for all of them, those that `first` names before the others, until none is left: a dying one may still be
 * starting another. Synchronous, so that it can be the last thing a process does. False when some would not die.
 */
export function killProcessesBelow(
  directory: string,
  first: (found: ProcessBelow) => boolean = () => false,
): boolean {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = processesBelow(directory)
    if (found.length === 0) return true
    for (const each of found.filter(first)) kill(each)
    for (const each of found.filter((one) => !first(one))) kill(each)
    pause(BETWEEN_ROUNDS_MS)
  }
  return false
}

const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

function kill({ pid }: ProcessBelow): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already, or is somebody else's: the next round shows which.
  }
}
