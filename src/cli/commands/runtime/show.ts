import { isHoldfastError } from '../../../domain/errors.ts'
import type { RuntimeDetailJson, RuntimeJson } from '../../../protocol/json/runtime-json.ts'
import type { TaskDetailJson } from '../../../protocol/json/task-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { fields } from '../../render/print/fields.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localSecond } from '../../render/print/time.ts'
import { nodeLine, nodeText, silentSince } from '../../render/text/elsewhere-text.ts'
import { nextText, waitingPrompts } from '../../render/text/next-text.ts'
import { answerCommand, optionLines } from '../../render/text/question-text.ts'
import { waitText } from '../../render/text/status-text.ts'

const columns: readonly Column<RuntimeJson>[] = [
  { title: 'RUNTIME', of: ({ agent_id }) => agent_id, least: 10, rank: 5 },
  { title: 'STATE', of: stateText, least: 8, rank: 4 },
  { title: 'AGENT', of: ({ agent_kind }) => agent_kind ?? '—', least: 6, rank: 1 },
  { title: 'TARGET', of: ({ tmux_target }) => tmux_target, least: 12, rank: 2 },
  { title: 'SINCE', of: ({ state_since }) => localSecond(state_since), least: 16, rank: 0 },
  { title: 'WHY', of: (one) => whyText(one), least: 10, rank: 3 },
]
/** Shown where some are of another daemon. */
const NODE: Column<RuntimeJson> = { title: 'NODE', of: (one) => nodeText(one) ?? '-', least: 8, rank: 2 }

export async function listRuntimes(_input: InputOf<'runtime list'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/runtimes', { query: {} })
  const { runtimes } = answer
  const shown = runtimes.some(({ elsewhere }) => elsewhere) ? [...columns, NODE] : columns
  context.show(answer, () =>
    runtimes.length === 0
      ? ['No runtimes yet']
      : [...table(shown, runtimes, context.width()), ...needLines(runtimes)],
  )
  return 0
}

export async function runtimeStatus({ args }: InputOf<'runtime status'>, context: Context): Promise<number> {
  const runtime = await context.daemon().call('GET /api/runtimes/:id', { id: args.runtime })
  const task = context.json ? undefined : await taskOf(runtime, context)
  context.show(runtime, () => statusLines(runtime, task))
  return 0
}

/** Undefined when the runtime was removed in this moment. */
async function taskOf({ task_id }: RuntimeJson, context: Context): Promise<TaskDetailJson | undefined> {
  try {
    return await context.daemon().call('GET /api/tasks/:id', { id: task_id })
  } catch (error) {
    if (isHoldfastError(error, 'TASK_NOT_FOUND')) return undefined
    throw error
  }
}

const asksPeople = (runtime: RuntimeJson) => runtime.question !== null && silentSince(runtime) === null

const needLines = (runtimes: readonly RuntimeJson[]): string[] => {
  const needing = runtimes.filter(asksPeople)
  return needing.length === 0 ? [] : ['', ...needing.map((one) => `${one.agent_id} needs you: ${ways(one)}`)]
}

/** One without a process has no terminal to attach to. */
const ways = ({ agent_id, pid }: RuntimeJson) =>
  `\`${answerCommand(agent_id, null)}\`${pid === null ? '' : `, or see it with \`holdfast attach ${agent_id}\``}`

/** One that is stopped is offline because a person wants it so. What a silent daemon told last may be long over. */
function stateText(runtime: RuntimeJson): string {
  const { state, wanted, phase } = runtime
  if (silentSince(runtime) !== null) return `unknown (${wanted === 'stopped' ? 'stopped' : state})`
  if (wanted === 'stopped') return 'stopped'
  return state === 'ready' && phase !== null && phase !== 'idle' ? `ready, ${phase}` : state
}

/** While it needs a person or waits for a time, that says more than its state. */
const whyText = (runtime: RuntimeJson): string =>
  silentText(runtime) ?? (runtime.question === null ? reasonText(runtime) : oneLine(runtime.question))

function reasonText(runtime: RuntimeJson): string {
  const { reason, phase, waits_for } = runtime
  if (waits_for === null) return reason
  const wait = waitText(runtime, waits_for, Date.now())
  // Otherwise the reason is that of its state, which it had before it began to wait.
  return phase === 'backing_off' ? `${reason}; ${wait}` : wait
}

function silentText(runtime: RuntimeJson): string | null {
  const since = silentSince(runtime)
  return since === null ? null : `its daemon is not heard of since ${localSecond(since)}`
}

/** Null while a person is asked, which says more; and where it may be long over. */
const nextOf = (runtime: RuntimeJson, task: TaskDetailJson | undefined) =>
  task === undefined || asksPeople(runtime) || silentSince(runtime) !== null
    ? null
    : nextText(task, Date.now())

const heartbeatOf = ({ last_heartbeat_at: at, last_heartbeat_status: status }: RuntimeJson) =>
  at === null ? null : `${localSecond(at)}${status === null ? '' : `, ${status}`}`

const statusLines = (runtime: RuntimeDetailJson, task: TaskDetailJson | undefined): string[] => [
  ...fields([
    ['Runtime', `${runtime.agent_id} (${runtime.runtime_id})`],
    ['State', `${stateText(runtime)} since ${localSecond(silentSince(runtime) ?? runtime.state_since)}`],
    ['Why', silentText(runtime) ?? runtime.reason],
    ['Node', nodeLine(runtime)],
    ['Needs you', asksPeople(runtime) ? oneLine(runtime.question ?? '') : null],
    ['What to do', asksPeople(runtime) ? ways(runtime) : null],
    ['Waiting', task === undefined ? null : waitingPrompts(task)],
    ['Next', nextOf(runtime, task)],
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
  ...(asksPeople(runtime) ? choiceLines(task) : []),
  '',
  ...runtime.transitions.map(
    ({ at, from, to, event, reason }) => `${localSecond(at)}  ${from} → ${to}  ${event}: ${reason}`,
  ),
]

/** What can be chosen, as `answer` takes it. */
const choiceLines = (task: TaskDetailJson | undefined): string[] => {
  const options = task?.questions[0]?.options ?? []
  return options.length === 0 ? [] : ['', 'Choices:', ...optionLines(options)]
}
