// Owns what /proc tells about the cost of processes.
import { readdirSync, readFileSync } from 'node:fs'

/** Fields of /proc/<pid>/stat from the third on, as proc(5) numbers them; undefined when it is gone. */
function statFields(pid: number): ((number: number) => string) | undefined {
  const text = read(`/proc/${pid}/stat`)
  if (text === '') return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (number) => fields[number - 3]!
}

/**
 * The scheduler counts it in nanoseconds. The times in /proc/<pid>/stat are samples taken at every tick of the clock:
 * who wakes for a moment at a tick is counted for all of it, or not at all. Threads that ended are not counted.
 */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return (
    threads.reduce(
      (sum, thread) => sum + Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]),
      0,
    ) / 1e6
  )
}

/** Page faults of children that ended and were waited for: it grows with every one of them, and else stands still. */
export const faultsOfEndedChildren = (pid: number) => Number(statFields(pid)?.(11) ?? Number.NaN)

export const residentMb = (pid: number) => statusMb(pid, 'VmRSS')
/** The most it ever had. */
export const highWaterMb = (pid: number) => statusMb(pid, 'VmHWM')

const statusMb = (pid: number, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) /
  1024

/** Processes and threads started since boot, on the whole machine. */
export const forksSinceBoot = () => Number(/^processes (\d+)$/m.exec(read('/proc/stat'))![1])

/** Found by what they were given: arguments or environment that name something below the directory. */
export const processesBelow = (root: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid)
    .filter(
      (pid) => commandLine(pid).includes(`${root}/`) || read(`/proc/${pid}/environ`).includes(`${root}/`),
    )
    .filter((pid) => !'ZX'.includes(statFields(pid)?.(3) ?? 'X'))

export const commandLine = (pid: number) => read(`/proc/${pid}/cmdline`)

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
