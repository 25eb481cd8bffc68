// Owns which event of the journal counts for which metric. Pure.
import type { JournalEvent } from '../domain/journal/events.ts'

export const counterHelp = {
  tmux_trigger_attempt_total: 'Triggers that were given to an agent, each time.',
  tmux_trigger_delivered_total: 'Triggers that their agent acknowledged.',
  tmux_trigger_retry_total: 'Times that an acknowledgement was awaited longer.',
  tmux_trigger_timeout_total: 'Triggers that waited too long, for an acknowledgement or for a person.',
  tmux_runtime_restart_total: 'Times that a runtime was brought back.',
  tmux_reconcile_drift_total: 'Times that a runtime was not where the registry had it.',
} as const
export type CounterName = keyof typeof counterHelp

export type Count = { readonly counter: CounterName; readonly labels?: Readonly<Record<string, string>> }

export function countsOf(event: JournalEvent): readonly Count[] {
  switch (event.kind) {
    case 'trigger_typed':
      return [{ counter: 'tmux_trigger_attempt_total' }]
    case 'trigger_acknowledged':
      return [{ counter: 'tmux_trigger_delivered_total' }]
    case 'trigger_ack_late':
      return [{ counter: 'tmux_trigger_retry_total' }]
    case 'trigger_deferred':
    case 'trigger_unconfirmed':
    case 'trigger_fell_back':
    case 'trigger_failed':
      return timeout(event.data.code)
    case 'runtime_moved':
      return RESTARTS.has(event.data.event) ? [{ counter: 'tmux_runtime_restart_total' }] : []
    case 'registry_drift':
      return [{ counter: 'tmux_reconcile_drift_total' }]
    default:
      return []
  }
}

const timeout = (code: string | null): readonly Count[] =>
  code === 'ACK_TIMEOUT' || code === 'DEFER_TIMEOUT'
    ? [{ counter: 'tmux_trigger_timeout_total', labels: { code } }]
    : []

const RESTARTS: ReadonlySet<string> = new Set(['reconcile_restart', 'spawn_new_runtime'])
