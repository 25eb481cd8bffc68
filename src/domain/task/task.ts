import type { NodeId, RunId, TaskId, TriggerId, WorkspaceId } from '../names/ids.ts'
import type { FailureClass } from '../run/failure-class.ts'
import type { Heartbeat } from '../run/heartbeat.ts'
import type { RunState } from '../run/machine.ts'
import type { Permission } from '../run/permission.ts'
import type { AnswerRule } from '../settings/answer-rules.ts'
import type { CustomAgent } from '../settings/custom-agents.ts'
import type { KeptTerms } from '../settings/task-terms.ts'
import type { AckWay } from '../trigger/acknowledgement.ts'
import type { TriggerCode } from '../trigger/codes.ts'
import type { TriggerEvent, TriggerState } from '../trigger/machine.ts'
import type { VerifyContract } from '../verify/contract.ts'
import type { Evidence } from './evidence.ts'
import type { RestartOrder, Way } from './go-on.ts'
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

/** `holdfast`: no agent waits for the answer. */
export type AskedBy = 'agent' | 'holdfast'

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
  >

/** What the agent said about how its run ended. */
export type AgentResult = { readonly ok: boolean; readonly text: string }

/** All times are epoch ms, except `liveSinceMono`. */
export type Run = {
  readonly id: RunId
  readonly taskId: TaskId
  readonly number: number
  readonly state: RunState
  readonly createdAt: number
  readonly startedAt: number | null
  /** Since when the agent's process lives, in monotonic ms of the boot `bootId`: not affected when the clock is set. */
  readonly liveSinceMono: number | null
  readonly endedAt: number | null
  readonly pid: number | null
  readonly startTicks: number | null
  readonly bootId: string | null
  readonly exitCode: number | null
  readonly exitSignal: string | null
  /** How many bytes of events.jsonl have their effects stored. Ends after a newline, or at the end of an ended run's file. */
  readonly eventsOffset: number
  /** The length of output.log in bytes that belongs to `eventsOffset`. */
  readonly outputLength: number
  /** How long the run's input file has to be, in bytes. What it lacks after a crash is written again. */
  readonly inputLength: number
  readonly unknownLines: number
  /** 1 when the run's event file was cut or deleted, and what the agent reported there is not known. */
  readonly eventsLost: 0 | 1
  /** What the agent said last. It is used as the result's text when the result itself has none. */
  readonly lastWords: string | null
  readonly result: AgentResult | null
  /** How the run began: `start` for the first run. */
  readonly how: 'start' | Way
  /** What a run that follows an earlier one was told at its start; null for nothing, and for a first run. */
  readonly told: string | null
  /** How many tool calls the agent began, as far as it reports them. */
  readonly tools: number
  /** How many tool calls and turns the agent ended. */
  readonly progress: number
  /** Why the last turn failed, judged by the agent's words. */
  readonly failure: FailureClass | null
  /** When a usage limit is over, according to the agent. */
  readonly limitedUntil: number | null
  /** 1 when the agent reported a session id that cannot be one. */
  readonly sessionRefused: 0 | 1
  /** How many times a daemon died while it handled this run. */
  readonly daemonDeaths: number
  /** Epoch ms of the agent's last heartbeat, and what it said about itself then. */
  readonly heartbeatAt: number | null
  readonly heartbeatStatus: Heartbeat['status'] | null
  /** The last things that the agent did, oldest first. */
  readonly steps: readonly RunStep[]
}

/** One thing an agent did. */
export type RunStep = {
  readonly tool: string
  readonly detail: string
  /** Null as long as the agent has not reported the end of this step. */
  readonly ok: boolean | null
  /** The file that was written to. */
  readonly file?: string
  /** The agent's own name for this call. */
  readonly call?: string
  /** Epoch ms at which its beginning and its end were read. Absent in steps that older versions stored. */
  readonly at?: number
  readonly endedAt?: number
}

/** Something that is said to a task's agent. It is queued, then said to a run, then heard; a prompt is then worked on until done. */
export type Input = {
  readonly taskId: TaskId
  /** Counts the inputs of a task: 1, 2, 3… */
  readonly number: number
  /**
   * `continuation`: Holdfast's words to a run that goes on, said before all others. `end`: no more prompts will come; the
   * conversation ends with the turn. `finish`: a person wants the task completed when its turn is over; never said.
   */
  readonly kind: 'prompt' | 'continuation' | 'answer' | 'end' | 'finish'
  readonly text: string
  /** For an answer: the question's number, and which option was chosen, from 0. */
  readonly question: number | null
  readonly option: number | null
  readonly by: string
  /** Epoch ms, as all times of an input. */
  readonly at: number
  /** The run to which the input was said; while it is queued, the run in which Enter was last about to be pressed on it. */
  readonly runId: RunId | null
  /** The line that was written to the run's input file; null for a text that was typed. */
  readonly line: string | null
  /** Where the line begins in the input file, in bytes. */
  readonly offset: number | null
  readonly saidAt: number | null
  /** When the agent reported that it has the input. */
  readonly heardAt: number | null
  /** When the turn that the input began was over. */
  readonly doneAt: number | null
} & TriggerFacts

/** What a prompt that somebody sent has besides; all null, and not framed, for every other input. */
export type TriggerFacts = {
  readonly triggerId: TriggerId | null
  readonly thread: string | null
  readonly reason: string | null
  /** The sender's own: the same key names the same trigger. */
  readonly key: string | null
  /** It is said in its envelope, and its agent is expected to acknowledge it. */
  readonly framed: 0 | 1
  /** Who wanted it typed although somebody had typed there a moment ago, and why. */
  readonly forcedBy: string | null
  readonly forcedWhy: string | null
  readonly state: TriggerState | null
  readonly code: TriggerCode | null
  /** Epoch ms of its last step. */
  readonly stateAt: number | null
  readonly ackBy: AckWay | null
}

/** One prompt that somebody sent, on its way to a living agent. */
export type Trigger = Input & { readonly triggerId: TriggerId; readonly state: TriggerState }

/** One step of a trigger, with what it was concluded from. */
export type TriggerStep = {
  readonly triggerId: TriggerId
  /** 1, 2, 3… per trigger. */
  readonly number: number
  readonly event: TriggerEvent
  readonly state: TriggerState
  readonly code: TriggerCode | null
  readonly at: number
  readonly evidence: readonly Evidence[]
}

/** Something that an agent, or Holdfast itself, asked a person. Times are epoch ms. */
export type Question = {
  readonly taskId: TaskId
  /** Counts the questions of a task: 1, 2, 3… */
  readonly number: number
  readonly runId: RunId
  readonly text: string
  readonly options: readonly string[]
  /** The agent's own id for the question, for an answer by a line; or that of Holdfast's own questions (holdfast-question.ts). */
  readonly ref: string | null
  readonly askedAt: number
  readonly answer: string | null
  readonly answeredBy: string | null
  readonly answeredAt: number | null
  /** When the question was over: the agent went on, or its run ended. */
  readonly settledAt: number | null
}

export type Workspace = {
  readonly id: WorkspaceId
  readonly slug: string
  readonly path: string
  readonly addedAt: number
  readonly addedBy: string
}
