// Owns what a task is, as a whole and in the parts that are read without the rest.
import type { NodeId, RunId, TaskId, WorkspaceId } from '../names/ids.ts'
import type { Permission } from '../run/permission.ts'
import type { AnswerRule } from '../settings/answer-rules.ts'
import type { CustomAgent } from '../settings/custom-agents.ts'
import type { KeptTerms } from '../settings/task-terms.ts'
import type { VerifyContract } from '../verify/contract.ts'
import type { RestartOrder } from './go-on.ts'
import type { AskedBy } from './question.ts'
import type { QueuedState, TaskState, TimedState } from './state.ts'

export type Mode = 'headless' | 'interactive'
export const PRIORITIES = { low: -10, normal: 0, high: 10 } as const
export type Priority = keyof typeof PRIORITIES

/** Why and by whom a task is being ended. Stored with the task until its processes are gone, so that no crash loses it. */
export type StopOrder = {
  readonly kind: 'kill' | 'timeout' | 'budget' | 'disk'
  readonly by: string
  readonly reason: string
  readonly at: number
}

/** What later runs of the task need, stored with the task: a later change of the config or a role does not affect it. */
export type Snapshot = KeptTerms & {
  readonly prompt: string
  readonly persona: string | null
  readonly restrictions: readonly string[]
  readonly permission: Permission
  /** What the session would have had as a child of its parent, if its agent knew that. Absent when it has what was meant. */
  readonly permissionNarrowedFrom?: Permission
  readonly extraDirs: readonly string[]
  readonly killGraceMs: number
  readonly closePane: boolean
  /** Only the names; the values are in a file with mode 0600 beside the originals. */
  readonly envNames: readonly string[]
  /** For an agent that the user described in the config. */
  readonly customAgent?: CustomAgent
  /** The agent stays and takes further prompts when its turn is over. */
  readonly converse?: boolean
  /** Rules that answer questions without a person. */
  readonly answers?: readonly AnswerRule[]
  /** The task is completed only when its work passes these checks. */
  readonly verify?: VerifyContract
  /** It is a runtime: however its process ended, it comes back, until a person stops it. */
  readonly standing?: true
}

/** The facts that a task has in every phase. All times are epoch ms. */
export type TaskFacts = {
  readonly id: TaskId
  /** The name that a person gave with `--name`; several tasks may have the same one. */
  readonly name: string | null
  /** What the task is about, in one line. */
  readonly title: string
  readonly nodeId: NodeId
  readonly agent: string
  readonly role: string | null
  readonly model: string | null
  readonly mode: Mode
  readonly workspaceId: WorkspaceId
  /** The workspace's path: where `.holdfast/` lives. */
  readonly project: string
  /** The directory in which the agent works: the project, or a directory below it. */
  readonly dir: string
  readonly priority: Priority
  readonly tags: readonly string[]
  readonly meta: Readonly<Record<string, string>>
  readonly parentId: TaskId | null
  readonly createdBy: string
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly maxDurationMs: number | null
  /** Working time: how long runs that are over were live, summed up. */
  readonly workedMs: number
  readonly exitCode: number | null
  readonly exitSignal: string | null
  readonly reason: string | null
  readonly runId: RunId | null
  /** The agent's own session id. */
  readonly sessionId: string | null
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  /** The last usage that the agent reported as a sum for its whole session. Only what exceeds it is added next time. */
  readonly sessionUsage: SessionUsage | null
  readonly stop: StopOrder | null
  /** Tools that the user's hooks or rules did not let the agent use, oldest first. */
  readonly hookViolations: readonly string[]
  /** Automatic retries since the task last made progress. */
  readonly retries: number
  readonly restart: RestartOrder | null
  /** Tasks with the same account share usage limits. A hash of agent, configuration and login. */
  readonly account: string | null
  readonly archivedAt: number | null
  readonly verification: Verification | null
  /** `<role>@<workspace slug>` of a runtime; null for every other task. */
  readonly runtime: string | null
}
/** A task without its snapshot. */
export type TaskSummary = TaskFacts & TaskState
export type QueuedTask = TaskFacts & QueuedState
/** A task that is backing off or parked. */
export type TimedTask = TaskFacts & TimedState
export type Task = TaskSummary & { readonly snapshot: Snapshot }

export type SessionUsage = {
  readonly session: string | null
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
}

/** The result of the task's last verification. */
export type Verification = {
  readonly verified: boolean
  /** How often the agent was sent back with what the verifier found. */
  readonly rounds: number
  /** A hash of the checked files and the failures. The same hash twice means that the agent changed nothing. */
  readonly fingerprint: string
  readonly failures: readonly string[]
  /** Epoch ms. */
  readonly at: number
}

/** `askedBy`: whose question it is for which the task waits; null when it waits for none. */
export type Listed = { readonly askedBy: AskedBy | null }
export type ListedTask = TaskSummary & Listed

/** Only what a table of tasks shows, because there may be thousands of rows. */
export type TaskRow = TaskState &
  Listed &
  Pick<
    TaskFacts,
    | 'id'
    | 'name'
    | 'title'
    | 'agent'
    | 'role'
    | 'parentId'
    | 'account'
    | 'createdAt'
    | 'startedAt'
    | 'endedAt'
    | 'stop'
    | 'project'
    | 'costUsd'
    | 'runtime'
    | 'nodeId'
  >
