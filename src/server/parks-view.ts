// Owns what people see of gates and of who waits.
import { iso } from '../domain/session-record.ts'
import type { TaskSummary } from '../domain/task.ts'
import type { Gate } from '../ports/store-changes.ts'
import type { GateJson, ParkedJson, ParksJson } from '../protocol/recovery-json.ts'
import type { Core } from '../supervisor/core.ts'
import { membersOf } from '../supervisor/waking.ts'

const MOST_QUEUED = 1000

export async function parksJson({ store }: Core): Promise<ParksJson> {
  const gates = await store.gates()
  const waiting = await store.waiting()
  const queued = gates.length === 0 ? [] : await store.queue(MOST_QUEUED)
  const keys = new Set(gates.map(({ key }) => key))
  const alone = waiting.filter(({ phase, gate }) => phase === 'parked' && !(gate !== null && keys.has(gate)))
  return {
    gates: gates.map((gate) =>
      gateJson(
        gate,
        membersOf(gate, { waiting, queued }).map(({ id }) => id),
      ),
    ),
    parked: alone.map(parkedJson),
  }
}

const gateJson = (gate: Gate, waiting: string[]): GateJson => ({
  key: gate.key,
  kind: gate.kind,
  agent: agentOf(gate),
  reason: gate.reason,
  since: iso(gate.since),
  until: iso(gate.until),
  canary: gate.canary,
  tries: gate.tries,
  waiting,
})

/** An account is the agent's name and a hash. */
const agentOf = ({ kind, key }: Gate) =>
  kind === 'environment' ? null : key.slice(kind.length + 1).replace(/-[0-9a-f]{12}$/, '')

const parkedJson = ({ id, role, agent, reason, phaseUntil }: TaskSummary): ParkedJson => ({
  session_id: id,
  agent: role ?? agent,
  reason,
  until: phaseUntil === null ? null : iso(phaseUntil),
})
