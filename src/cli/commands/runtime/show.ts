import type { RuntimeDetailJson, RuntimeJson } from '../../../protocol/json/runtime-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { fields } from '../../render/print/fields.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localSecond } from '../../render/print/time.ts'
import { waitText } from '../../render/text/status-text.ts'

const columns: readonly Column<RuntimeJson>[] = [
  { title: 'RUNTIME', of: ({ agent_id }) => agent_id, least: 10, rank: 5 },
  { title: 'STATE', of: stateText, least: 8, rank: 4 },
  { title: 'AGENT', of: ({ agent_kind }) => agent_kind ?? '—', least: 6, rank: 1 },
  { title: 'TARGET', of: ({ tmux_target }) => tmux_target, least: 12, rank: 2 },
  { title: 'SINCE', of: ({ state_since }) => localSecond(state_since), least: 16, rank: 0 },
  { title: 'WHY', of: ({ reason }) => reason, least: 10, rank: 3 },
]

export async function listRuntimes(_input: InputOf<'runtime list'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/runtimes', { query: {} })
  context.show(answer, () =>
    answer.runtimes.length === 0 ? ['No runtimes yet'] : table(columns, answer.runtimes, context.width()),
  )
  return 0
}

export async function runtimeStatus({ args }: InputOf<'runtime status'>, context: Context): Promise<number> {
  const runtime = await context.daemon().call('GET /api/runtimes/:id', { id: args.runtime })
  context.show(runtime, () => statusLines(runtime))
  return 0
}

/** One that is stopped is offline because a person wants it so. */
function stateText({ state, wanted, phase }: RuntimeJson): string {
  if (wanted === 'stopped') return 'stopped'
  return state === 'ready' && phase !== null && phase !== 'idle' ? `ready, ${phase}` : state
}

const heartbeatOf = ({ last_heartbeat_at: at, last_heartbeat_status: status }: RuntimeJson) =>
  at === null ? null : `${localSecond(at)}${status === null ? '' : `, ${status}`}`

const statusLines = (runtime: RuntimeDetailJson): string[] => [
  ...fields([
    ['Runtime', `${runtime.agent_id} (${runtime.runtime_id})`],
    ['State', `${stateText(runtime)} since ${localSecond(runtime.state_since)}`],
    ['Why', runtime.reason],
    ['Restart', runtime.restart_at && localSecond(runtime.restart_at)],
    ['Waits', runtime.waits_for && waitText(runtime, runtime.waits_for, Date.now())],
    ['Target', runtime.tmux_target],
    ['Agent', runtime.agent_kind],
    ['Agent session', runtime.session_id],
    ['Process', runtime.pid === null ? null : String(runtime.pid)],
    ['At its pane', runtime.operator_busy ? 'somebody types' : null],
    ['Heartbeat', heartbeatOf(runtime)],
    ['Last trigger', runtime.last_trigger_id],
    ['Restarts', String(runtime.restarts)],
    ['Drift', runtime.drifts === 0 ? null : String(runtime.drifts)],
    ['Task', runtime.task_id],
    ['Project', runtime.project],
  ]),
  '',
  ...runtime.transitions.map(
    ({ at, from, to, event, reason }) => `${localSecond(at)}  ${from} → ${to}  ${event}: ${reason}`,
  ),
]
