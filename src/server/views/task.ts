// Owns how stored tasks become the JSON that clients see.
import type { Order } from '../../domain/task/order.ts'
import { iso } from '../../domain/task/session-record.ts'
import { viewOf } from '../../domain/task/status-view.ts'
import type { Input, Question, Task, TaskSummary, Workspace } from '../../domain/task/task.ts'
import type { ListCount, TaskCounts } from '../../ports/store.ts'
import type { Gate } from '../../ports/store-changes.ts'
import type { Pane } from '../../ports/terminal.ts'
import type { OrderJson, StatsJson, WorkspaceJson } from '../../protocol/api.ts'
import {
  type InputStateJson,
  type QuestionJson,
  type TaskDetailJson,
  type TaskJson,
  type TotalsJson,
  taskJson,
} from '../../protocol/task-json.ts'
import { answerWay } from '../../supervisor/orders/answer-way.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { keptJson, unsaidOf } from './kept.ts'
import { nextJson, nextOf } from './next.ts'
import { waitsForTmux } from './outage.ts'
import { waitsOf } from './wait.ts'

/** `gates`: where it may wait behind one. */
export function oneTask(task: TaskSummary, core: Core, gates: readonly Gate[] = []): TaskJson {
  const places = { ...core.handoff.paths(task), tmuxSession: core.terminal.sessionName(task.id) }
  return taskJson(task, places, core.clock.now(), waitsOf(task, gates, waitsForTmux(task, core)))
}

export async function taskDetail(task: Task, core: Core): Promise<TaskDetailJson> {
  const position = await queuePosition(task, core)
  const open = await core.store.openQuestions(task.id)
  const inputs = await core.store.inputs(task.id)
  const unsaid = unsaidOf(task, inputs, core)
  return {
    ...oneTask(task, core, await core.store.gates()),
    tmux_active: await hasPane(task, core),
    queue_position: position,
    questions: await Promise.all(open.map((question) => questionJson(question, task, core))),
    next: nextJson(await nextOf(task, { open, queuePosition: position, unsaid }, core)),
    kept_back: keptJson(unsaid, core.clock.now()),
    inputs: inputs.map(inputJson),
  }
}

export async function queuePosition({ id, status }: Task, { store }: Core): Promise<number | null> {
  return status === 'pending' ? await store.queuePosition(id) : null
}

const MOST_TEXT = 200

const inputJson = ({ number, kind, text, by, saidAt, heardAt, doneAt }: Input): InputStateJson => ({
  number,
  kind,
  text: text.slice(0, MOST_TEXT),
  by,
  said: saidAt !== null,
  heard: heardAt !== null,
  done: doneAt !== null,
})

export const questionJson = async (question: Question, task: Task, core: Core): Promise<QuestionJson> => ({
  number: question.number,
  question: question.text,
  options: [...question.options],
  asked_at: iso(question.askedAt),
  answer_way: await answerWay(task, question, core),
})

/** Longer than tmux ever takes. A task can be told of without it. */
const TMUX_PATIENCE_MS = 300

async function hasPane(task: TaskSummary, { terminal, clock }: Core): Promise<boolean> {
  if (task.runId === null || terminal.health() !== 'up') return false
  const session = terminal.sessionName(task.id)
  const none: readonly Pane[] = []
  const patience = clock.sleep(TMUX_PATIENCE_MS).then(() => none)
  const panes = await Promise.race([terminal.panes().catch(() => none), patience])
  return panes.some((pane) => pane.session === session && pane.mark === task.runId && !pane.dead)
}

export function totalsJson(counts: readonly ListCount[]): TotalsJson {
  const totals = { total: 0, created: 0, running: 0, asking: 0, completed: 0, failed: 0, killed: 0 }
  for (const { status, hasStarted, count } of counts) {
    totals[viewOf(status, hasStarted).toLowerCase() as 'created'] += count
    if (status === 'waiting_input') totals.asking += count
    totals.total += count
  }
  return totals
}

export const statsJson = (counts: TaskCounts): StatsJson => ({
  ...counts,
  total: Object.values(counts).reduce((sum, n) => sum + n, 0),
})

export const workspaceJson = ({ id, slug, path, addedAt, addedBy }: Workspace): WorkspaceJson => ({
  id,
  slug,
  path,
  added_at: iso(addedAt),
  added_by: addedBy,
})

export const orderJson = ({ id, kind, by, at, state, settledAt, outcome }: Order): OrderJson => ({
  id,
  kind,
  by,
  at: iso(at),
  state,
  settled_at: settledAt === null ? null : iso(settledAt),
  error: outcome !== null && 'code' in outcome ? { code: outcome.code, message: outcome.message } : null,
})
