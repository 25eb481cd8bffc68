// Owns the task of a drill: started, held in the middle of its work, let go, watched until it ends.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { givenEnv } from '../cli/wire/given-env.ts'
import { asRunId, asTaskId, type RunId, type TaskId } from '../domain/names/ids.ts'
import type { TaskDetailJson } from '../protocol/json/task-json.ts'
import type { Scratch } from './scratch.ts'
import { until } from './until.ts'
import { type DrillAgent, FILES, promptFor, type Trouble } from './work.ts'

export type HeldTask = {
  readonly scratch: Scratch
  readonly id: TaskId
  readonly run: RunId
  readonly agentPid: number
  /** The process of the tool call that holds the agent. */
  readonly toolPid: number
}

/** Returns the id of the task. An error, such as a missing agent, ends the whole drill. */
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

/** Waits until the agent has done half of its work and is held. */
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

/** Lets the agent go on after the hold. Returns the time, in epoch ms. */
export function letGo({ scratch }: HeldTask): number {
  writeFileSync(join(scratch.project, FILES.go), '')
  return Date.now()
}

/** Waits until the process of another run exists. */
export async function untilResumed({ scratch, id, run }: HeldTask): Promise<TaskDetailJson> {
  return await until('the next run', async () => {
    const task = mustGoOn(await statusOf(scratch, id))
    return task.run_id === run || startOf(scratch, task) === null ? undefined : task
  })
}

/** Epoch ms when the process of the task's last run began; null when it has none. */
export function startOf(scratch: Scratch, { run_id }: TaskDetailJson): number | null {
  if (run_id === null) return null
  const { mtimeMs } = statSync(pidFile(scratch, asRunId(run_id)), { throwIfNoEntry: false }) ?? {}
  return mtimeMs === undefined ? null : Math.round(mtimeMs)
}

/** Waits until the task has ended and is tidied up: its environment file is removed last. */
export async function untilEnded({ scratch, id }: HeldTask): Promise<TaskDetailJson> {
  return await until('the end of the task', async () => {
    const isTidied = !existsSync(join(scratch.home.tasks, id, 'env'))
    const task = await statusOf(scratch, id)
    if (task.completed_at === null) mustGoOn(task)
    return task.completed_at !== null && isTidied ? task : undefined
  })
}

/** Throws for a task that waits for a person or has ended: waiting for it would be in vain. */
function mustGoOn(task: TaskDetailJson): TaskDetailJson {
  if (task.completed_at === null && task.task_status !== 'waiting_input') return task
  throw new Error(`the task is ${task.task_status}: ${task.reason}`)
}

/** The shim writes this file right before it becomes the agent. */
const pidFile = ({ home }: Scratch, run: RunId) => join(home.run(run), 'pid')

function firstNumber(file: string): number | undefined {
  try {
    return Number(/^\d+(?=\s)/.exec(readFileSync(file, 'utf8'))?.[0]) || undefined
  } catch {
    return undefined
  }
}
