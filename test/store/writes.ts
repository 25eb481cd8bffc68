// The usual writes as one call each. All of them are commits.
import { isHoldfastError } from '../../src/domain/errors.ts'
import type { EventDraft } from '../../src/domain/journal/events.ts'
import type { RunId, TaskId, WorkspaceId } from '../../src/domain/names/ids.ts'
import type { RestartOrder } from '../../src/domain/task/go-on.ts'
import type { Input } from '../../src/domain/task/input.ts'
import type { Question } from '../../src/domain/task/question.ts'
import type { StopOrder, Task } from '../../src/domain/task/task.ts'
import type { Workspace } from '../../src/domain/task/workspace.ts'
import type { AuditEntry } from '../../src/ports/store/audit.ts'
import type { Change } from '../../src/ports/store/commits.ts'
import type { AnswerDraft, InputDraft, Saying } from '../../src/ports/store/conversation.ts'
import type { Reading } from '../../src/ports/store/reading.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { TaskDraft } from '../../src/ports/store/tasks.ts'

/** False when it came too late. */
const tried = (store: Store, change: Change): Promise<boolean> =>
  store.commit(change).then(
    () => true,
    (error) => {
      if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return false
      throw error
    },
  )

export async function createTask(store: Store, create: TaskDraft, audit: AuditEntry): Promise<Task> {
  await store.commitSoon({ create, audit })
  return (await store.task(create.id))!
}

export const recordReading = (store: Store, reading: Reading, change: Change = {}) =>
  store.commit({ ...change, reading })

export const say = (store: Store, saying: Omit<Saying, 'voidsResult'> & Partial<Saying>) =>
  store.commit({ say: { voidsResult: true, ...saying } })

/** Undefined when its task has ended. */
export const addInput = (store: Store, input: InputDraft, audit: AuditEntry): Promise<Input | undefined> =>
  store.commit({ input, audit }).then(
    (committed) => committed.input,
    (error) => {
      if (isHoldfastError(error, 'TRANSITION_CONFLICT')) return undefined
      throw error
    },
  )

export const answer = (
  store: Store,
  { taskId, number }: Pick<Question, 'taskId' | 'number'>,
  given: Omit<AnswerDraft, 'taskId' | 'number'>,
  audit: AuditEntry,
) => tried(store, { answer: { taskId, number, ...given }, audit })

export const tell = (store: Store, event: EventDraft) => store.commit({ event })
export const audit = (store: Store, entry: AuditEntry) => store.commit({ audit: entry })

export const orderStop = (store: Store, id: TaskId, order: StopOrder, audit: AuditEntry) =>
  tried(store, { stop: { id, order }, audit })
export const orderRestart = (store: Store, id: TaskId, order: RestartOrder, audit: AuditEntry) =>
  tried(store, { restart: { id, order }, audit })

export const markTidied = (store: Store, id: TaskId) => store.commit({ tidied: { id, isTidied: true } })
export const markArchived = (store: Store, id: TaskId, at: number) => tried(store, { archive: { id, at } })
export const removeTask = (store: Store, id: TaskId, audit: AuditEntry) =>
  store.commit({ remove: { id, at: audit.at }, audit })

export const noteDaemonDeath = (store: Store, daemonDied: readonly RunId[]) => store.commit({ daemonDied })
export const forgiveDaemonDeaths = (store: Store, daemonLives: RunId) => store.commit({ daemonLives })

export async function addWorkspace(store: Store, workspace: Workspace): Promise<Workspace> {
  await store.commit({ workspace })
  const all = await store.workspaces()
  return all.find(({ id, path }) => path === workspace.path || id === workspace.id)!
}
/** False when there is none. */
export async function removeWorkspace(store: Store, id: WorkspaceId): Promise<boolean> {
  const isThere = (await store.workspaces()).some((one) => one.id === id)
  await store.commit({ dropWorkspace: id })
  return isThere
}
