// Owns the task that is struck: begun, seen in the middle of its work, let go, seen to its end.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { givenEnv } from '../cli/wire/given-env.ts'
import { asRunId, asTaskId, type RunId, type TaskId } from '../domain/names/ids.ts'
import type { TaskDetailJson } from '../protocol/task-json.ts'
import type { Scratch } from './scratch.ts'
import { until } from './until.ts'
import { type DrillAgent, FILES, promptFor, type Trouble } from './work.ts'

export type HeldTask = {
  readonly scratch: Scratch
  readonly id: TaskId
  readonly run: RunId
  readonly agentPid: number
  /** Of the tool that holds it. */
  readonly toolPid: number
}

/** Its id. What forbids it, a missing agent say, forbids the whole drill. */
export async function beginTask(
  scratch: Scratch,
  agent: DrillAgent,
  trouble: Trouble | undefined,
): Promise<TaskId> {
  const { task } = await scratch.daemon.call('POST /api/tasks', {
    body: {
      prompt: promptFor(agent, trouble),
      dir: scratch.project,
      agent,
      permissions: agent === 'scripted' ? 'default' : 'full',
      env: givenEnv(scratch.env),
      allow_dir: true,
    },
  })
  return asTaskId(task.session_id)
}

/** When the agent has done half of its work, and holds. */
export async function untilHeld(scratch: Scratch, id: TaskId): Promise<HeldTask> {
  return await until('the agent to come to the middle of its work', async () => {
    const { phase, run_id } = mustGoOn(await statusOf(scratch, id))
    const run = asRunId(run_id ?? '')
    const [agentPid, toolPid] = [pidFile(scratch, run), join(scratch.project, FILES.held)].map(firstNumber)
    if (phase !== 'working' || agentPid === undefined || toolPid === undefined) return undefined
    return { scratch, id, run, agentPid, toolPid }
  })
}

export const statusOf = (scratch: Scratch, id: string): Promise<TaskDetailJson> =>
  scratch.daemon.call('GET /api/tasks/:id', { id })

/** When. */
export function letGo({ scratch }: HeldTask): number {
  writeFileSync(join(scratch.project, FILES.go), '')
  return Date.now()
}

/** When another run's process exists. */
export async function untilResumed({ scratch, id, run }: HeldTask): Promise<TaskDetailJson> {
  return await until('the next run', async () => {
    const task = mustGoOn(await statusOf(scratch, id))
    return task.run_id === run || startOf(scratch, task) === null ? undefined : task
  })
}

/** When the process of its last run began; null when it has none. */
export function startOf(scratch: Scratch, { run_id }: TaskDetailJson): number | null {
  if (run_id === null) return null
  const { mtimeMs } = statSync(pidFile(scratch, asRunId(run_id)), { throwIfNoEntry: false }) ?? {}
  return mtimeMs === undefined ? null : Math.round(mtimeMs)
}

/** When it has ended and is tidied up: the kept environment goes last. */
export async function untilEnded({ scratch, id }: HeldTask): Promise<TaskDetailJson> {
  return await until('the end of the task', async () => {
    const isTidied = !existsSync(join(scratch.home.tasks, id, 'env'))
    const task = await statusOf(scratch, id)
    if (task.completed_at === null) mustGoOn(task)
    return task.completed_at !== null && isTidied ? task : undefined
  })
}

/** One that waits for a person, or has ended, would be waited for in vain. */
function mustGoOn(task: TaskDetailJson): TaskDetailJson {
  if (task.completed_at === null && task.task_status !== 'waiting_input') return task
  throw new Error(`the task is ${task.task_status}: ${task.reason}`)
}

/** The agent's shim writes it right before it becomes the agent. */
const pidFile = ({ home }: Scratch, run: RunId) => join(home.run(run), 'pid')

function firstNumber(file: string): number | undefined {
  try {
    return Number(/^\d+(?=\s)/.exec(readFileSync(file, 'utf8'))?.[0]) || undefined
  } catch {
    return undefined
  }
}
