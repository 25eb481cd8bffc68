// Owns how stored tasks become the JSON that clients see.
import { askedBy } from '../../domain/conversation/holdfast-question.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Order } from '../../domain/task/order.ts'
import { iso } from '../../domain/task/session-record.ts'
import { viewOf } from '../../domain/task/status-view.ts'
import type { Workspace } from '../../domain/task/workspace.ts'
import { checkText, MOST_FAILURES_KEPT } from '../../domain/verify/contract.ts'
import type { ListCount, TaskCounts } from '../../ports/store/task-lists.ts'
import type { StatsJson } from '../../protocol/json/daemon-json.ts'
import type { OrderJson } from '../../protocol/json/order-json.ts'
import type { WorkspaceJson } from '../../protocol/json/project-json.ts'
import {
  type ContractCheckJson,
  type InputStateJson,
  type ListedTaskJson,
  type QuestionJson,
  type TaskDetailJson,
  type TaskJson,
  type TotalsJson,
  taskJson,
} from '../../protocol/json/task-json.ts'
import type { Asked, Brief, Detail, ListedSeen } from '../../supervisor/desk.ts'
import { elsewhereJson } from './elsewhere.ts'
import { keptJson, nextJson } from './next.ts'
import { waitsJson } from './wait.ts'

export const oneTask = ({ task, places, at, waits, activeAt }: Brief): TaskJson =>
  taskJson(task, places, at, waitsJson(waits), activeAt)

export const listedTask = (listed: ListedSeen): ListedTaskJson => ({
  ...oneTask(listed),
  asked_by: listed.askedBy,
  elsewhere: elsewhereJson(listed.elsewhere),
})

export const taskDetail = (seen: Detail): TaskDetailJson => ({
  ...oneTask(seen),
  asked_by: askerNow(seen),
  elsewhere: elsewhereJson(seen.elsewhere),
  tmux_active: seen.hasPane,
  queue_position: seen.queuePosition,
  questions: seen.questions.map(questionJson),
  next: nextJson(seen.next),
  kept_back: keptJson(seen.unsaid, seen.at),
  bridge: seen.bridge,
  heartbeat: seen.heartbeat && { status: seen.heartbeat.status, at: iso(seen.heartbeat.at) },
  inputs: seen.inputs.map(inputJson),
  takes_prompts: seen.takesPrompts,
  has_contract: seen.contract !== undefined,
  checks: checksJson(seen),
})

/** As lists tell it: of the oldest question, while the task waits for a person. */
function askerNow({ task, questions: [first] }: Detail): TaskDetailJson['asked_by'] {
  return task.status !== 'waiting_input' || first === undefined ? null : askedBy(first.question)
}

function checksJson({ contract, task: { verification } }: Detail): ContractCheckJson[] {
  const outcome = (check: string): boolean | null => {
    if (verification === null || verification.verified) return verification && true
    const { failures } = verification
    if (failures.some((failure) => failure.startsWith(`${check}: `))) return false
    // Where some failures are not kept, nothing is known of the others.
    return failures.length < MOST_FAILURES_KEPT ? true : null
  }
  return (contract?.checks ?? []).map((one) => {
    const check = checkText(one)
    return { check, ok: outcome(check) }
  })
}

const MOST_TEXT = 200

const inputJson = (input: Input): InputStateJson => ({
  number: input.number,
  kind: input.kind,
  text: input.text.slice(0, MOST_TEXT),
  question: input.question,
  by: input.by,
  said: input.saidAt !== null,
  heard: input.heardAt !== null,
  done: input.doneAt !== null,
})

export const questionJson = ({ question, way, takesText }: Asked): QuestionJson => ({
  number: question.number,
  question: question.text,
  options: [...question.options],
  asked_at: iso(question.askedAt),
  answer_way: way,
  takes_text: takesText,
  asked_by: askedBy(question),
})

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
