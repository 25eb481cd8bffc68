import { setImmediate as letOthersRun, setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../domain/system-error.ts'
import type { Processes, ProcessIdentity } from '../../ports/run/processes.ts'
import {
  isGone,
  listPids,
  type ProcStat,
  readBootId,
  readStartData,
  readStat,
  UNKNOWN_YET,
} from './proc-stat.ts'

/** Reading a file of a process takes some 15 µs: a scan of thousands must not hold up the event loop. */
const READ_AT_ONCE = 100

/** An exec takes less than a millisecond without load. A process that hangs in it for longer than this is not ours. */
const MOST_LOOKS = 100
const BETWEEN_LOOKS_MS = 5

/** The process was listed, and ended before it was inspected. */
const ENDED = Symbol('ended')

/** A process as the scan saw it. `run` is the run whose marker it carries. */
type Seen<Run = string | undefined> = ProcStat & { readonly run: Run }
type Inspect<Run> = (pid: number) => Seen<Run> | typeof UNKNOWN_YET | typeof ENDED | undefined

/** Processes as Linux shows them in /proc. */
export class LinuxProcesses implements Processes {
  readonly bootId = readBootId()

  isAlive({ pid, startTicks }: ProcessIdentity): boolean {
    const stat = readStat(pid)
    return stat !== undefined && stat.startTicks === startTicks && !isGone(stat)
  }

  isTaken(pid: number): boolean {
    return reaches(pid, 0)
  }

  async carrying(runIds: readonly string[]): Promise<Map<string, ProcessIdentity[]>> {
    const family = familyOf(await scan(new Set(runIds)))
    return new Map(runIds.map((id) => [id, family(id).map(identity)]))
  }

  async cpuMs(runIds: readonly string[]): Promise<Map<string, number>> {
    const family = familyOf(await scan(new Set(runIds)))
    return new Map(
      runIds.flatMap((id) => {
        const members = family(id)
        return members.length === 0 ? [] : [[id, members.reduce((sum, { cpuMs }) => sum + cpuMs, 0)]]
      }),
    )
  }

  async marked(): Promise<Map<string, ProcessIdentity[]>> {
    const seen = await inspectAll((pid) => {
      const run = markOf(pid)
      return typeof run === 'string' ? inspect(pid, run) : run
    })
    return new Map([...groupBy(seen, ({ run }) => run)].map(([run, all]) => [run, all.map(identity)]))
  }

  signal(target: ProcessIdentity, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGCHLD'): boolean {
    return this.isAlive(target) && reaches(target.pid, signal)
  }
}

/** True also when the kernel refuses (a tool that became another user): the process is there. */
function reaches(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

const identity = ({ pid, startTicks }: ProcStat): ProcessIdentity => ({ pid, startTicks })

/** Marked processes first: most often none is left, and then there are no relatives to look for. */
async function scan(runs: ReadonlySet<string>): Promise<Seen[]> {
  const marked = await inspectAll((pid) => {
    const run = markOf(pid)
    if (typeof run !== 'string') return run
    return runs.has(run) ? inspect(pid, run) : undefined
  })
  if (marked.length === 0) return []
  const known = new Set(marked.map(({ pid }) => pid))
  const others = await inspectAll((pid) => (known.has(pid) ? undefined : inspect(pid, undefined)))
  return [...marked, ...others]
}

/**
 * Every living process except init and ourselves, for we may have been started by a marked CLI.
 * Processes are listed again while some of them end: they may have left children that the list lacks.
 */
async function inspectAll<Run>(look: Inspect<Run>): Promise<Seen<Run>[]> {
  const seen: Seen<Run>[] = []
  const done = new Set([1, process.pid])
  for (let looks = 1; ; looks++) {
    const pids = listPids(done)
    const unsure = new Set<typeof UNKNOWN_YET | typeof ENDED>()
    for (let from = 0; from < pids.length; from += READ_AT_ONCE) {
      for (const pid of pids.slice(from, from + READ_AT_ONCE)) {
        const found = look(pid)
        if (found !== UNKNOWN_YET) done.add(pid)
        if (typeof found === 'symbol') unsure.add(found)
        else if (found !== undefined) seen.push(found)
      }
      await letOthersRun()
    }
    if (unsure.size === 0 || looks === MOST_LOOKS) return seen
    if (unsure.has(UNKNOWN_YET)) await sleep(BETWEEN_LOOKS_MS)
  }
}

function inspect<Run>(pid: number, run: Run): Seen<Run> | typeof ENDED {
  const stat = readStat(pid)
  return stat === undefined || isGone(stat) ? ENDED : { ...stat, run }
}

const MARKER = 'HOLDFAST_RUN='

function markOf(pid: number): string | typeof UNKNOWN_YET | typeof ENDED | undefined {
  const environ = readStartData(pid, 'environ')
  if (environ === undefined) return ENDED
  if (environ === UNKNOWN_YET) return UNKNOWN_YET
  if (!environ?.includes(MARKER)) return undefined
  const mark = environ
    .toString('latin1')
    .split('\0')
    .find((entry) => entry.startsWith(MARKER))
  return mark?.slice(MARKER.length)
}

/**
 * The processes of a run: those with its marker, their descendants, and the members of sessions that they lead. A tool may
 * clear its environment or lose its parent. A session whose leader is gone belongs to the run when a marked process is in
 * it; a session with another living leader never does.
 */
function familyOf(processes: readonly Seen[]): (run: string) => Seen[] {
  // Leaders that live although the scan leaves them out: one outside our container (0), init, ourselves.
  const living = new Set([0, 1, process.pid, ...processes.map(({ pid }) => pid)])
  const children = groupBy(processes, ({ ppid }) => ppid)
  const members = groupBy(processes, ({ session }) => session)
  const marked = groupBy(processes, ({ run }) => run)
  return (run) => {
    const family = new Set(marked.get(run))
    // A Set also visits what is added on the way.
    for (const each of family) {
      const ownsSession = each.session === each.pid || (each.run === run && !living.has(each.session))
      const more = ownsSession ? members.get(each.session) : undefined
      for (const relative of [...(children.get(each.pid) ?? []), ...(more ?? [])]) family.add(relative)
    }
    return [...family]
  }
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
