// Owns how a runtime moves. The table is the law: the store and the docs are made from it.

export const RUNTIME_STATES = [
  'starting',
  'ready',
  'triggering',
  'awaiting_ack',
  'retrying',
  'fallback_resume',
  'spawn_recovery',
  'offline',
  'failed',
] as const
export type RuntimeState = (typeof RUNTIME_STATES)[number]

export type RuntimeEvent =
  | 'register_runtime'
  /** Its pane lives, and its agent shows its interface there. */
  | 'agent_detected'
  | 'start_timeout'
  | 'start_failed'
  | 'trigger_runtime'
  | 'send_keys_ok'
  | 'send_keys_error'
  | 'ack_received'
  /** Nobody acknowledged, but the agent's turn began: it is not disturbed. */
  | 'ack_waived'
  /** The trigger waits again, or was given up: the runtime is as it was before it. */
  | 'trigger_withdrawn'
  | 'ack_timeout'
  | 'ack_timeout_exhausted'
  | 'resend_ok'
  | 'resend_error'
  | 'resume_ok'
  | 'resume_failed'
  | 'spawn_new_runtime'
  | 'spawn_failed'
  /** It shows no sign of life, also after it was resumed: a person is asked. */
  | 'agent_stuck'
  | 'pane_missing'
  | 'pane_dead'
  | 'stop_runtime'
  | 'reconcile_restart'
  | 'reconcile_failed'
  | 'recover'

/** `unregistered` is the moment before the runtime exists. */
export type RuntimeBefore = RuntimeState | 'unregistered'
type Transitions = Readonly<Record<RuntimeBefore, Readonly<Partial<Record<RuntimeEvent, RuntimeState>>>>>

/** What can become of a runtime's process, wherever it stands. */
const goesOffline = { pane_missing: 'offline', pane_dead: 'offline', stop_runtime: 'offline' } as const

export const runtimeTransitions: Transitions = {
  unregistered: { register_runtime: 'starting' },
  // A death at the start is no failure yet: it is started again, until its restarts are spent.
  starting: { agent_detected: 'ready', start_timeout: 'failed', start_failed: 'failed', ...goesOffline },
  ready: {
    trigger_runtime: 'triggering',
    reconcile_restart: 'starting',
    agent_stuck: 'failed',
    ...goesOffline,
  },
  triggering: {
    send_keys_ok: 'awaiting_ack',
    send_keys_error: 'failed',
    ack_waived: 'ready',
    trigger_withdrawn: 'ready',
    agent_stuck: 'failed',
    ...goesOffline,
  },
  awaiting_ack: {
    ack_received: 'ready',
    ack_waived: 'ready',
    trigger_withdrawn: 'ready',
    ack_timeout: 'retrying',
    ack_timeout_exhausted: 'fallback_resume',
    agent_stuck: 'failed',
    ...goesOffline,
  },
  retrying: {
    resend_ok: 'awaiting_ack',
    resend_error: 'failed',
    ack_received: 'ready',
    ack_waived: 'ready',
    trigger_withdrawn: 'ready',
    agent_stuck: 'failed',
    ...goesOffline,
  },
  fallback_resume: { resume_ok: 'ready', resume_failed: 'spawn_recovery', stop_runtime: 'offline' },
  spawn_recovery: { spawn_new_runtime: 'starting', spawn_failed: 'failed', stop_runtime: 'offline' },
  offline: { reconcile_restart: 'starting', reconcile_failed: 'failed', recover: 'starting' },
  failed: { recover: 'starting', agent_detected: 'ready', ...goesOffline },
}

/** Its process is there and can be spoken to. */
export const UP: ReadonlySet<RuntimeState> = new Set(['ready', 'triggering', 'awaiting_ack', 'retrying'])

/** What clients are shown beside the state: fewer words, which do not change when states are added. */
export const RUNTIME_STATUSES = [
  'starting',
  'ready',
  'triggering',
  'awaiting_ack',
  'failed',
  'offline',
] as const
export type RuntimeStatus = (typeof RUNTIME_STATUSES)[number]

export function runtimeStatus(state: RuntimeState): RuntimeStatus {
  if (state === 'retrying') return 'awaiting_ack'
  return state === 'fallback_resume' || state === 'spawn_recovery' ? 'starting' : state
}
