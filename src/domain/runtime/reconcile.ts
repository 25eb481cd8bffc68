// Owns the comparison of a runtime's row with what is there: which event brings the row nearer to the truth. Pure.
import { type RuntimeEvent, type RuntimeState, UP } from './machine.ts'

/**
 * What is there of a runtime. `stopped`: its task has ended, as was wanted. `given_up`: it does not come back by itself.
 * `first`: queued for its first start. `waits`: without a process, and will be started again. `starting`: its process
 * is being started, or shows no interface yet. `anew`: the same, in a new session. `late`: the same, for longer than it may take. `up`: it can be spoken to.
 * `stuck`: its process is there without a sign of life, and a person was asked what to do.
 * `paneless`: its pane is gone, and perhaps its process with it. `replaced`: its run is about to be ended for a prompt,
 * which moves the row.
 */
export type RuntimeSight =
  | 'stopped'
  | 'given_up'
  | 'first'
  | 'waits'
  | 'starting'
  | 'anew'
  | 'late'
  | 'up'
  | 'stuck'
  | 'paneless'
  | 'replaced'

/** Null when the row fits. Otherwise the first of at most a few steps: ask again after each. */
export function eventForSight(sight: RuntimeSight, state: RuntimeState): RuntimeEvent | null {
  return towards[sight](state)
}

type Towards = (state: RuntimeState) => RuntimeEvent | null

const steps =
  (table: Partial<Record<RuntimeState, RuntimeEvent>>, otherwise: RuntimeEvent | null = null): Towards =>
  (state) =>
    table[state] ?? otherwise

/** While it is resumed or spawned anew, it has no process for a moment: the row stays as it is. */
const BEING_REPLACED: ReadonlySet<RuntimeState> = new Set(['fallback_resume', 'spawn_recovery'])

const toStarting: Towards = (state) => {
  if (state === 'starting' || state === 'fallback_resume') return null
  if (state === 'offline') return 'reconcile_restart'
  if (state === 'spawn_recovery') return 'spawn_new_runtime'
  if (state === 'failed') return 'recover'
  return state === 'ready' ? 'reconcile_restart' : 'pane_dead'
}

const toUp: Towards = (state) => {
  if (UP.has(state)) return null
  if (state === 'offline') return 'reconcile_restart'
  if (state === 'fallback_resume') return 'resume_ok'
  return state === 'spawn_recovery' ? 'spawn_new_runtime' : 'agent_detected'
}

const towards: Readonly<Record<RuntimeSight, Towards>> = {
  stopped: (state) => (state === 'offline' ? null : 'stop_runtime'),
  given_up: (state) => {
    if (state === 'failed') return null
    if (state === 'starting') return 'start_failed'
    if (state === 'offline') return 'reconcile_failed'
    if (state === 'fallback_resume') return 'resume_failed'
    return state === 'spawn_recovery' ? 'spawn_failed' : 'pane_dead'
  },
  // A person started again what was stopped or had failed. The row says `starting` once its process is being started.
  first: steps({ offline: 'reconcile_restart', failed: 'recover' }),
  waits: (state) => {
    if (state === 'offline' || state === 'failed' || BEING_REPLACED.has(state)) return null
    return 'pane_dead'
  },
  starting: toStarting,
  anew: (state) => (state === 'fallback_resume' ? 'resume_failed' : toStarting(state)),
  late: (state) => {
    if (state === 'failed' || state === 'fallback_resume') return null
    return state === 'starting' ? 'start_timeout' : toStarting(state)
  },
  up: toUp,
  // It came up before it was stuck.
  stuck: (state) => (state === 'failed' ? null : (toUp(state) ?? 'agent_stuck')),
  replaced: () => null,
  paneless: (state) => (state === 'offline' || BEING_REPLACED.has(state) ? null : 'pane_missing'),
}

/** The registry says that the runtime is up, but tmux does not have its pane, and Holdfast did not end it. */
export const isDrift = (sight: RuntimeSight, state: RuntimeState) => sight === 'paneless' && UP.has(state)
