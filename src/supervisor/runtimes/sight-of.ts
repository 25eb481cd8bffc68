// Owns what is seen of a runtime: its task, its run and its pane put together. Pure.
import type { RuntimeSight } from '../../domain/runtime/reconcile.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Pane } from '../../ports/run/terminal.ts'
import type { Watch } from '../task/core.ts'

export type Seen = {
  readonly runtime: Runtime
  readonly task: Task | undefined
  /** Undefined while it has no open run. */
  readonly watch: Pick<Watch, 'run'> | undefined
  /** The pane of its last run; null when there is none, undefined when there was no run or tmux cannot be asked. */
  readonly pane: Pane | null | undefined
  readonly now: number
  readonly startTimeoutMs: number
}

export function sightOf({ task, watch, pane, now, startTimeoutMs }: Seen): RuntimeSight {
  if (task === undefined) return 'stopped'
  if (isEnded(task.status)) return wasStopped(task) ? 'stopped' : 'given_up'
  if (watch === undefined) return withoutRun(task, pane)
  if (task.restart?.kind === 'trigger' || task.restart?.kind === 'spawn') return 'replaced'
  const isStarting = watch.run.state === 'launching' || task.phase === 'starting'
  if (isStarting && now - watch.run.createdAt > startTimeoutMs) return 'late'
  if (isStarting) return isAnew(watch.run) ? 'anew' : 'starting'
  if (pane === null) return 'paneless'
  return task.status === 'waiting_input' && task.phase === 'stuck' ? 'stuck' : 'up'
}

function withoutRun({ status, startedAt }: Task, pane: Seen['pane']): RuntimeSight {
  if (status === 'waiting_input') return 'given_up'
  if (startedAt === null) return 'first'
  return pane === null ? 'paneless' : 'waits'
}

const isAnew = ({ how }: Watch['run']) => how === 'fresh' || how === 'with_context'

/** By a person, not by a limit or a failure. */
const wasStopped = ({ status, stop }: Task) => status !== 'failed' && (stop === null || stop.kind === 'kill')
