// Owns which event of the journal counts for which counter. Pure.
import type { JournalEvent } from '../domain/journal/events.ts'
import type { CounterName, Labels } from './catalogue.ts'

export type Count = { readonly counter: CounterName; readonly labels?: Labels }

export function countsOf(event: JournalEvent): readonly Count[] {
  switch (event.kind) {
    case 'trigger_typed':
      return [{ counter: 'tmux_trigger_attempt_total' }]
    case 'trigger_acknowledged':
      // A stronger sign may follow a weaker one.
      return event.data.from === 'acknowledged' ? [] : [{ counter: 'tmux_trigger_delivered_total' }]
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
    case 'gate_closed':
      return [{ counter: 'holdfast_gates_closed_total', labels: { kind: gateKind(event.data.kind) } }]
    case 'verified':
      return [
        {
          counter: 'holdfast_verifications_total',
          labels: { outcome: event.data.verified ? 'passed' : 'failed' },
        },
      ]
    case 'server_died':
      return [{ counter: 'holdfast_tmux_deaths_total' }]
    case 'quota_warning':
    case 'quota_warning_total':
      return [{ counter: 'holdfast_disk_warnings_total' }]
    default:
      return countsOfTask(event)
  }
}

function countsOfTask(event: JournalEvent): readonly Count[] {
  switch (event.kind) {
    case 'task_created':
      return [{ counter: 'holdfast_tasks_created_total' }]
    case 'task_agent_started':
      return [{ counter: 'holdfast_runs_started_total' }]
    case 'task_question_asked':
      return [{ counter: 'holdfast_questions_total' }]
    case 'task_stuck_seen':
      return [{ counter: 'holdfast_stuck_total' }]
    case 'task_escalated':
      return [{ counter: 'holdfast_escalations_total' }]
    case 'task_completed':
    case 'task_failed':
    case 'task_cancelled':
      return [{ counter: 'holdfast_tasks_ended_total', labels: { status: event.data.status } }]
    default:
      return []
  }
}

export const GATE_KINDS = ['limit', 'environment', 'breaker'] as const
export const gateKind = (kind: string) => GATE_KINDS.find((known) => known === kind) ?? 'other'

const timeout = (code: string | null): readonly Count[] =>
  code === 'ACK_TIMEOUT' || code === 'DEFER_TIMEOUT'
    ? [{ counter: 'tmux_trigger_timeout_total', labels: { code } }]
    : []

const RESTARTS: ReadonlySet<string> = new Set(['reconcile_restart', 'spawn_new_runtime'])
