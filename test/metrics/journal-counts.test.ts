import { expect, test } from 'vitest'
import type { JournalEvent } from '../../src/domain/journal/events.ts'
import { catalogue } from '../../src/metrics/catalogue.ts'
import { metricsOver } from './metrics-over.ts'

const trigger = (kind: string, code: string | null = null, from = 'submitted') =>
  ({
    kind,
    data: { trigger_id: 'trg_20261117_0001', thread: null, agent_id: null, from, state: 'typed', code },
  }) as unknown as JournalEvent
const moved = (event: string) =>
  ({
    kind: 'runtime_moved',
    data: { from: 'offline', to: 'starting', event, reason: '' },
  }) as unknown as JournalEvent

/** The value of each metric after these events. */
async function counted(...events: JournalEvent[]): Promise<Record<string, number>> {
  const { metrics, values } = await metricsOver()
  metrics.hear({ events })
  return await values()
}
const event = (kind: string, data: object = {}) =>
  ({ kind, taskId: null, at: 0, data }) as unknown as JournalEvent

test('every counter without labels is there from the beginning, at 0', async () => {
  const plain = Object.entries(catalogue).filter(
    ([, { type, labels }]) => type === 'counter' && labels.length === 0,
  )
  expect(await counted()).toMatchObject(Object.fromEntries(plain.map(([name]) => [name, 0])))
})

test.each([
  ['holdfast_tasks_created_total', event('task_created')],
  ['holdfast_tasks_ended_total{status="failed"}', event('task_failed', { status: 'failed' })],
  ['holdfast_runs_started_total', event('task_agent_started')],
  ['holdfast_questions_total', event('task_question_asked')],
  ['holdfast_stuck_total', event('task_stuck_seen')],
  ['holdfast_escalations_total', event('task_escalated')],
  ['holdfast_verifications_total{outcome="failed"}', event('verified', { verified: false })],
  ['holdfast_gates_closed_total{kind="limit"}', event('gate_closed', { kind: 'limit' })],
  ['holdfast_gates_closed_total{kind="other"}', event('gate_closed', { kind: 'unheard of' })],
  ['holdfast_tmux_deaths_total', event('server_died')],
  ['holdfast_disk_warnings_total', event('quota_warning')],
])('%s counts its event', async (name, one) => {
  expect(await counted(one, one)).toMatchObject({ [name]: 2 })
})

test.each([
  ['tmux_trigger_attempt_total', trigger('trigger_typed')],
  ['tmux_trigger_delivered_total', trigger('trigger_acknowledged')],
  ['tmux_trigger_retry_total', trigger('trigger_ack_late')],
  ['tmux_trigger_timeout_total{code="ACK_TIMEOUT"}', trigger('trigger_unconfirmed', 'ACK_TIMEOUT')],
  ['tmux_trigger_timeout_total{code="DEFER_TIMEOUT"}', trigger('trigger_deferred', 'DEFER_TIMEOUT')],
  ['tmux_runtime_restart_total', moved('reconcile_restart')],
  ['tmux_runtime_restart_total', moved('spawn_new_runtime')],
  ['tmux_reconcile_drift_total', { kind: 'registry_drift', data: {} } as unknown as JournalEvent],
])('%s counts its event', async (name, event) => {
  expect(await counted(event, event)).toMatchObject({ [name]: 2 })
})

test('a trigger that waits for a person, or a runtime that is ready, is no timeout and no restart', async () => {
  const counts = await counted(trigger('trigger_deferred', 'OPERATOR_BUSY'), moved('agent_detected'))
  expect(counts).toMatchObject({
    'tmux_trigger_timeout_total{code="DEFER_TIMEOUT"}': 0,
    tmux_runtime_restart_total: 0,
  })
})

test('a trigger that a weak sign and then a stronger one acknowledge is delivered once', async () => {
  const signs = [
    trigger('trigger_acknowledged'),
    trigger('trigger_acknowledged', null, 'acknowledged'),
    trigger('trigger_acknowledged', null, 'acknowledged'),
  ]
  expect(await counted(...signs)).toMatchObject({ tmux_trigger_delivered_total: 1 })
})
