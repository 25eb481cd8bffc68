import type { RunId } from '../../domain/names/ids.ts'
import type { Processes, ProcessIdentity } from '../../ports/run/processes.ts'

export type FindProcessesOfRun = (runId: RunId) => Promise<ProcessIdentity[]>

/** One scan of the process table serves all callers who asked before it began, because many runs often end at the same time. */
export function sharedScan(processes: Pick<Processes, 'carrying'>): FindProcessesOfRun {
  let next: { runIds: Set<RunId>; found: ReturnType<Processes['carrying']> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  const begin = () => {
    const runIds = new Set<RunId>()
    const found = last.then(() => {
      next = undefined
      return processes.carrying([...runIds])
    })
    last = found.catch(() => undefined)
    return { runIds, found }
  }
  return async (runId) => {
    next ??= begin()
    next.runIds.add(runId)
    return (await next.found).get(runId) ?? []
  }
}
