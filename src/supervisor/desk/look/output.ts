// Owns the output of a task: its screen, its result, its logs, and when nothing more will be added to them.
import { HoldfastError } from '../../../domain/errors.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import { isEnded } from '../../../domain/task/machine.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { TaskLog } from '../../../ports/files/handoff.ts'
import { isOurs, otherNode } from '../../orders/of-other-node.ts'
import type { DeskNeeds } from '../needs.ts'
import { isAtRest } from './is-at-rest.ts'

/** The files of an ended task are written after its end is stored. If that fails, readers wait no longer than this. */
const LONGEST_TIDYING_MS = 60_000

export const outputDesk = ({
  store,
  terminal,
  handoff,
  runFiles,
  clock,
  commit,
  config,
  withLock,
}: DeskNeeds) => ({
  /** What the task's terminal shows, or showed last. Undefined while no screen is known. OTHER_NODE where it is another daemon's. */
  async screen(task: Task): Promise<{ readonly screen: string; readonly isLive: boolean } | undefined> {
    if (!isOurs(task, { store })) throw await otherNode(task, 'Its screen is seen there.', { store, clock })
    const live =
      task.runId === null ? undefined : await terminal.readScreen(task.id, task.runId).catch(() => undefined)
    const screen = live ?? (await handoff.screen(task))
    return screen === undefined ? undefined : { screen, isLive: live !== undefined }
  },

  /** The result as JSON text; undefined while there is none. */
  result: (task: Task): Promise<string | undefined> => handoff.result(task),

  /** In the place of what its agent handed in before, and where it is read when the task ends. The file that has it. */
  submitResult: (task: Task, json: string): Promise<string> =>
    withLock(task.id, async () => {
      const now = await store.task(task.id)
      if (now === undefined || isEnded(now.status))
        throw new HoldfastError(
          'TASK_NOT_ACTIVE',
          `Session ${task.id} has ended: it takes no result any more.`,
        )
      const bytes = Buffer.byteLength(json)
      if (bytes > config['result.maxBytes'])
        throw new HoldfastError(
          'REQUEST_TOO_LARGE',
          `A result may have at most ${config['result.maxBytes']} bytes.`,
        )
      await handoff.writeResult(task, json)
      const data = { run_id: now.runId, bytes }
      await commit({ event: { at: clock.now(), kind: 'result_submitted', taskId: task.id, data } })
      return handoff.paths(task).resultFile
    }),

  /** The log from a byte offset to its present end. */
  log: (task: Task, name: TaskLog, from: number): AsyncIterable<Uint8Array> =>
    handoff.readLog(task, name, from),

  /** How many bytes the log has, as of now. */
  logSize: (task: Task, name: TaskLog): Promise<number> => handoff.logSize(task, name),

  /** The event lines of the task's last run, from a byte offset to their present end. */
  agentLines: ({ runId }: Task, from: number): AsyncIterable<Uint8Array> =>
    runId === null ? nothing() : runFiles.eventsFrom(runId, from),

  /** True when nothing more will come from the agent: all that it said was read before the task's end was stored. */
  async hasEnded(id: TaskId): Promise<boolean> {
    const task = await store.task(id)
    return task === undefined || isEnded(task.status)
  },

  /** True when the agent will say nothing more by itself: its task has ended, or it is at rest until somebody tells it something. */
  async isAtRestOrOver(id: TaskId): Promise<boolean> {
    const task = await store.task(id)
    return task === undefined || isEnded(task.status) || (await isAtRest(task, { store }))
  },

  /** True when the task's files are complete, which they are once the task is tidied up. */
  async isTidied(id: TaskId): Promise<boolean> {
    const task = await store.task(id)
    if (task === undefined) return true
    if (!isEnded(task.status)) return false
    if (clock.now() - (task.endedAt ?? 0) > LONGEST_TIDYING_MS) return true
    return !(await store.untidied()).includes(id)
  },
})

async function* nothing(): AsyncGenerator<Uint8Array> {}
