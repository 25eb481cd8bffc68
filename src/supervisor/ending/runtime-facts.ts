// Owns what the end of a runtime is judged by, beside what counts for every task. Pure.
import { unsaidPrompts } from '../../delivery/inputs/said.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { GoOn } from '../../domain/task/go-on.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import type { RuntimeFacts } from '../recovering/decide-end.ts'
import { type Between, beginAnew } from '../recovering/go-on-after.ts'
import type { Carried } from './carried-trigger.ts'

export const isStanding = ({ snapshot }: Pick<Task, 'snapshot'>) => snapshot.standing === true

/** Something was achieved: by a task when it made progress, by a runtime when it came up. */
export function retriesSince(task: Task, run: Run): number {
  const hasAchieved = isStanding(task) ? task.phase !== 'starting' : run.progress > 0
  return hasAchieved ? 0 : task.retries
}

export type EndOfRuntime = {
  readonly run: Run
  /** Epoch ms: what ended before is not counted. */
  readonly since: number
  readonly now: number
  readonly carried: Carried | null
  readonly lastHeartbeatAt: number | null
  readonly restartAfterMs: number
  readonly config: Pick<Config, 'runtime.staleAfter' | 'trigger.resumeAttempts'>
}

export function runtimeFacts(
  between: Between,
  { run, since, now, carried, lastHeartbeatAt, restartAfterMs, config }: EndOfRuntime,
): RuntimeFacts | null {
  if (!isStanding(between.task)) return null
  const isDeath = ({ id, state, endedAt }: Run) =>
    id === run.id || ((state === 'exited' || state === 'lost') && (endedAt ?? 0) >= since)
  const silentMs = now - lastWordAt(between, lastHeartbeatAt)
  return {
    graceMs: restartAfterMs,
    deaths: between.runs.filter(isDeath).length,
    promptWaits: unsaidPrompts(between.inputs).length > 0,
    anew: withSummary(beginAnew(between, 'lost'), carried),
    silentMs: carried !== null && silentMs > config['runtime.staleAfter'] ? silentMs : null,
    restartsForPrompt:
      carried !== null && carried.fallbacks >= config['trigger.resumeAttempts'] ? carried.fallbacks : null,
  }
}

/** Epoch ms of the last sign that its agent is with its session: its beginning, a prompt taken or done, a heartbeat. */
function lastWordAt({ runs, inputs }: Between, lastHeartbeatAt: number | null): number {
  const begun = runs.findLast(({ how }) => how !== 'resume')?.createdAt ?? 0
  const heard = inputs.flatMap(({ heardAt, doneAt }: Input) => [heardAt ?? 0, doneAt ?? 0])
  return Math.max(begun, lastHeartbeatAt ?? 0, ...heard)
}

const withSummary = (anew: GoOn, carried: Carried | null): GoOn =>
  carried === null || carried.summary === null
    ? anew
    : { ...anew, say: anew.say === null ? carried.summary : `${anew.say}\n\n${carried.summary}` }
