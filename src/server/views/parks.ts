// Owns what people see of gates and of who waits.
import { iso } from '../../domain/task/session-record.ts'
import type { TimedTask } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store-changes.ts'
import type { GateJson, ParkedJson, ParksJson } from '../../protocol/recovery-json.ts'
import { membersOf } from '../../supervisor/recovering/waking.ts'
import type { Core } from '../../supervisor/task/core.ts'

const MOST_QUEUED = 1000

export async function parksJson({ store }: Core): Promise<ParksJson> {
  const gates = await store.gates()
  const waiting = await store.waiting()
  const queued = gates.length === 0 ? [] : await store.queue(MOST_QUEUED)
  const keys = new Set(gates.map(({ key }) => key))
  const alone = waiting.filter((task) => task.phase === 'parked' && !keys.has(task.gate ?? ''))
  const behind = (gate: Gate) => membersOf(gate, { waiting, queued }).map(({ id }) => id)
  return {
    gates: gates.map((gate) => gateJson(gate, behind(gate))).filter(isThere),
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

/** One that nobody waits behind or tries is gone with the next look. */
const isThere = ({ waiting, canary }: GateJson) => waiting.length > 0 || canary !== null

/** An account is the agent's name and a hash. */
const agentOf = ({ kind, key }: Gate) =>
  kind === 'environment' ? null : key.slice(kind.length + 1).replace(/-[0-9a-f]{12}$/, '')

const parkedJson = ({ id, role, agent, reason, until }: TimedTask): ParkedJson => ({
  session_id: id,
  agent: role ?? agent,
  reason,
  until: iso(until),
})
