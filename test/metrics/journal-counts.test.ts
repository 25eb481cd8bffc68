import { expect, test } from 'vitest'
import type { JournalEvent } from '../../src/domain/journal/events.ts'
import { counterHelp } from '../../src/metrics/journal-counts.ts'
import { Metrics } from '../../src/metrics/metrics.ts'

const trigger = (kind: string, code: string | null = null) =>
  ({
    kind,
    data: { trigger_id: 'trg_20261117_0001', thread: null, agent_id: null, state: 'typed', code },
  }) as unknown as JournalEvent
const moved = (event: string) =>
  ({
    kind: 'runtime_moved',
    data: { from: 'offline', to: 'starting', event, reason: '' },
  }) as unknown as JournalEvent

/** The value of each metric after these events. */
async function counted(...events: JournalEvent[]): Promise<Record<string, number>> {
  const metrics = new Metrics()
  metrics.hear({ events })
  const lines = (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ .*$/, ''), Number(line.replace(/^.* /, ''))]))
}

test('every metric is there from the beginning, but for the one that has a label', async () => {
  const names = Object.keys(counterHelp).filter((name) => name !== 'tmux_trigger_timeout_total')
  expect(await counted()).toEqual(Object.fromEntries(names.map((name) => [name, 0])))
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
  expect(Object.values(counts).every((count) => count === 0)).toBe(true)
})
