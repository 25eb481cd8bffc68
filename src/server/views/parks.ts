// Owns the JSON of gates and of the tasks that wait.
import { iso } from '../../domain/task/session-record.ts'
import type { TimedTask } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store/gates.ts'
import type { GateJson, ParkedJson, ParksJson } from '../../protocol/json/recovery-json.ts'
import type { GateSeen, Parks } from '../../supervisor/desk.ts'

export const parksJson = ({ gates, alone }: Parks): ParksJson => ({
  gates: gates.map(gateJson),
  parked: alone.map(parkedJson),
})

const gateJson = ({ gate, waiting }: GateSeen): GateJson => ({
  key: gate.key,
  kind: gate.kind,
  agent: agentOf(gate),
  reason: gate.reason,
  since: iso(gate.since),
  until: iso(gate.until),
  canary: gate.canary,
  tries: gate.tries,
  waiting: [...waiting],
})

/** The key ends with an account: the agent's name and a hash. The gate of the environment has no account. */
const agentOf = ({ kind, key }: Gate) =>
  kind === 'environment' ? null : key.slice(kind.length + 1).replace(/-[0-9a-f]{12}$/, '')

const parkedJson = ({ id, role, agent, reason, until }: TimedTask): ParkedJson => ({
  session_id: id,
  agent: role ?? agent,
  reason,
  until: iso(until),
})
