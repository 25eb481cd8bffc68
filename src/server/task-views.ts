// Owns how stored tasks become the JSON that clients see.
import { tmuxSessionName } from '../domain/names.ts'
import { iso } from '../domain/session-record.ts'
import { sessionStatus } from '../domain/status-view.ts'
import type { Input, Question, Task, TaskRow, TaskSummary, Workspace } from '../domain/task.ts'
import type { TaskCounts } from '../ports/store.ts'
import type { Pane } from '../ports/terminal.ts'
import type { StatsJson, WorkspaceJson } from '../protocol/api.ts'
import {
  type InputStateJson,
  type QuestionJson,
  type TaskDetailJson,
  type TaskJson,
  type TaskListJson,
  type TaskRowsJson,
  type TotalsJson,
  taskJson,
  taskRowJson,
} from '../protocol/task-json.ts'
import type { Core } from '../supervisor/core.ts'
import { nextJson, nextOf } from './next-view.ts'

export const oneTask = (task: TaskSummary, core: Core): TaskJson =>
  taskJson(task, core.handoff.paths(task), core.clock.now())

export async function taskDetail(task: Task, core: Core): Promise<TaskDetailJson> {
  const position = await queuePosition(task, core)
  const open = await core.store.openQuestions(task.id)
  return {
    ...oneTask(task, core),
    tmux_active: await hasPane(task, core),
    queue_position: position,
    questions: open.map(questionJson),
    next: nextJson(await nextOf(task, { open, queuePosition: position }, core)),
    inputs: (await core.store.inputs(task.id)).map(inputJson),
  }
}

export async function queuePosition({ id, status }: Task, { store }: Core): Promise<number | null> {
  const queue = status === 'pending' ? await store.queue(10_000) : []
  return queue.findIndex((task) => task.id === id) + 1 || null
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

export const questionJson = ({ number, text, options, askedAt }: Question): QuestionJson => ({
  number,
  question: text,
  options: [...options],
  asked_at: iso(askedAt),
})

/** Longer than tmux ever takes. A task can be told of without it. */
const TMUX_PATIENCE_MS = 300

async function hasPane(task: TaskSummary, { terminal, clock }: Core): Promise<boolean> {
  if (task.runId === null || terminal.health() !== 'up') return false
  const name = tmuxSessionName(task.id)
  const none: readonly Pane[] = []
  const patience = clock.sleep(TMUX_PATIENCE_MS).then(() => none)
  const panes = await Promise.race([terminal.panes().catch(() => none), patience])
  return panes.some((pane) => pane.name === name && pane.mark === task.runId && !pane.dead)
}

export const taskList = (tasks: readonly TaskSummary[], core: Core): TaskListJson => ({
  tasks: tasks.map((task) => oneTask(task, core)),
  totals: totals(tasks),
})

export const taskRows = (rows: readonly TaskRow[], core: Core): TaskRowsJson => ({
  rows: rows.map((row) => taskRowJson(row, core.clock.now())),
  totals: totals(rows),
})

function totals(tasks: readonly TaskRow[]): TotalsJson {
  const counts = { total: tasks.length, created: 0, running: 0, completed: 0, failed: 0, killed: 0 }
  for (const task of tasks) counts[sessionStatus(task.status).toLowerCase() as 'created']++
  return counts
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
