// Tools to start tasks, to see how they stand, and to end them.
import * as z from 'zod/mini'
import { HoldfastError, isHoldfastError } from '../../domain/errors.ts'
import { PERMISSIONS } from '../../domain/run/permission.ts'
import type { TaskDetailJson, TaskJson } from '../../protocol/json/task-json.ts'
import * as results from '../results.ts'
import { ENDS, field, READS, shortText, type ToolWorld, taskId, tool, WRITES } from '../tool.ts'

/** Longer results are not repeated in the answer: the file has them. */
const LONGEST_RESULT = 50_000
/** Not `startsWith`: clients do not know the format that it becomes in JSON Schema. */
const absolutePath = () => z.string().check(z.regex(/^\//), z.maxLength(4096))

export const taskTools = [
  tool({
    name: 'create_task',
    description:
      'Start a task: another agent works on the prompt in its own session. Returns at once with the session id; use `wait` to learn how it ends, and `get_task` to read its result. A run may start tasks only where the settings allow recursion, and only in directories that a person has allowed.',
    hints: WRITES,
    output: results.created,
    input: z.strictObject({
      prompt: field(z.string().check(z.minLength(1)), 'What to do, complete: the agent knows nothing else.'),
      dir: field(
        z.optional(absolutePath()),
        'The absolute path of the directory to work in. Default: the directory you work in.',
      ),
      role: field(z.optional(shortText()), 'The role that does the work; `list_roles` shows them.'),
      agent: field(
        z.optional(shortText()),
        'The agent kind, such as claude or codex. Default: as configured.',
      ),
      model: field(z.optional(shortText()), 'The model, as the agent names it.'),
      name: field(z.optional(shortText()), 'A short name for the session.'),
      title: field(z.optional(shortText()), 'What the task is about, in one line.'),
      permissions: field(
        z.optional(z.enum(PERMISSIONS)),
        'What the agent may do without asking. A task started by a run never gets more than that run has.',
      ),
      priority: field(z.optional(z.enum(['low', 'normal', 'high'])), 'Its place in the queue.'),
      max_duration_seconds: field(
        z.optional(z.number().check(z.positive())),
        'Working time after which it is ended.',
      ),
      tags: field(z.optional(z.array(shortText()).check(z.maxLength(50))), 'Words to find it by.'),
    }),
    async handle({ dir = undefined, ...rest }, world) {
      const { task, notices } = await world.call('POST /api/tasks', {
        body: {
          ...rest,
          dir: dir ?? (await knownDir(world)),
          ...(world.env === undefined ? {} : { env: world.env }),
        },
      })
      return { ...briefly(task), notices }
    },
  }),
  tool({
    name: 'get_task',
    description:
      'How a session stands now: status, phase, what comes next, open questions, and its result when it has ended. Answers at once; to wait for a change use `wait` instead of asking again.',
    hints: READS,
    output: results.standingTask,
    input: z.strictObject({ task: taskId() }),
    async handle({ task: id }, world) {
      const task = await world.call('GET /api/tasks/:id', { id })
      return { ...closely(task), ...(await resultOf(task, world)) }
    },
  }),
  tool({
    name: 'cancel',
    description:
      'End a session: its agent is interrupted and then killed with everything it started. A run may end only its own session and those that it started.',
    hints: ENDS,
    output: results.cancelled,
    input: z.strictObject({
      task: taskId(),
      reason: field(z.optional(z.string().check(z.maxLength(500))), 'Why; it is kept with the session.'),
    }),
    async handle({ task: id, reason }, world) {
      const killed = await world.call('POST /api/tasks/:id/kill', {
        id,
        body: reason === undefined ? {} : { reason },
      })
      return { already_ended: killed.already_ended, ...briefly(killed.task) }
    },
  }),
  tool({
    name: 'list_roles',
    description: 'The roles that tasks can be started for in a directory, with what each is for.',
    hints: READS,
    output: results.roles,
    input: z.strictObject({
      dir: field(
        z.optional(absolutePath()),
        'The absolute path of a directory. Default: the directory you work in.',
      ),
    }),
    async handle({ dir }, world) {
      const { roles } = await world.call('GET /api/roles', { query: { dir: dir ?? (await knownDir(world)) } })
      return {
        roles: roles.map(({ role, description, agent, model, problem }) => ({
          role,
          description,
          agent,
          model,
          problem,
        })),
      }
    },
  }),
] as const

/** The part of a task that a caller needs in order to go on. */
export const briefly = ({ session_id, name, title, agent, status, task_status, phase, dir }: TaskJson) => ({
  session_id,
  name,
  title,
  agent,
  status,
  task_status,
  phase,
  dir,
})

const closely = (task: TaskDetailJson) => ({
  ...briefly(task),
  next: task.next,
  questions: task.questions,
  queue_position: task.queue_position,
  reason: task.reason,
  started_at: task.started_at,
  completed_at: task.completed_at,
  elapsed_seconds: task.elapsed_seconds,
  tokens_in: task.tokens_in,
  tokens_out: task.tokens_out,
  cost_usd: task.cost_usd,
  bridge: task.bridge,
})

async function resultOf(task: TaskDetailJson, { call }: ToolWorld) {
  if (task.completed_at === null) return {}
  const { result } = await call('GET /api/tasks/:id/result', { id: task.session_id })
  const file = { result_file: task.result_file }
  return JSON.stringify(result).length > LONGEST_RESULT ? { result: null, ...file } : { result, ...file }
}

/** A run works in the directory of its task. */
async function knownDir({ dir, call }: ToolWorld): Promise<string> {
  if (dir !== undefined) return dir
  const self = await call('GET /api/self').catch((error) => {
    if (!isHoldfastError(error, 'ONLY_FOR_RUNS')) throw error
    throw new HoldfastError('INVALID_REQUEST', "'dir' is needed here: the absolute path of a directory.")
  })
  return self.dir
}
