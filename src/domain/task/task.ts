import type { NodeId, RunId, TaskId, WorkspaceId } from '../names/ids.ts'
import type { FailureClass } from '../run/failure-class.ts'
import type { RunState } from '../run/machine.ts'
import type { Permission } from '../run/permission.ts'
import type { AnswerRule } from '../settings/answer-rules.ts'
import type { CustomAgent } from '../settings/custom-agents.ts'
import type { RecoveryTerms } from '../settings/recovery-terms.ts'
import type { VerifyContract } from '../verify/contract.ts'
import type { RestartOrder, Way } from './go-on.ts'
import type { QueuedState, TaskState, TimedState } from './state.ts'

export type Mode = 'headless' | 'interactive'
export const PRIORITIES = { low: -10, normal: 0, high: 10 } as const
export type Priority = keyof typeof PRIORITIES

/** Why and by whom a task is being ended. Kept on the task until its processes are gone, so that a crash cannot forget it. */
export type StopOrder = {
  readonly kind: 'kill' | 'timeout' | 'budget' | 'disk'
  readonly by: string
  readonly reason: string
  readonly at: number
}

/** What later runs need and a changed config must not touch. */
export type Snapshot = {
  readonly prompt: string
  readonly persona: string | null
  readonly restrictions: readonly string[]
  readonly permission: Permission
  readonly extraDirs: readonly string[]
  readonly killGraceMs: number
  readonly closePane: boolean
  /** Names only; values lie in a 0600 file beside the originals. */
  readonly envNames: readonly string[]
  /** For an agent that the user described. */
  readonly customAgent?: CustomAgent
  /** It stays and listens when its turn is over. */
  readonly converse?: boolean
  /** How often and how long it is brought back. Absent in tasks of old: the defaults. */
  readonly recovery?: RecoveryTerms
  /** Questions that are answered without a person. */
  readonly answers?: readonly AnswerRule[]
  /** It is completed only when its work passes these checks. */
  readonly verify?: VerifyContract
  /** It is a runtime: however its process ended, it comes back, until a person stops it. */
  readonly standing?: true
}

/** What is known of a task in every phase. */
export type TaskFacts = {
  readonly id: TaskId
  /** What a person called it with `--name`; need not be unique. */
  readonly name: string | null
  /** What it is about, in one line. */
  readonly title: string
  readonly nodeId: NodeId
  readonly agent: string
  readonly role: string | null
  readonly model: string | null
  readonly mode: Mode
  readonly workspaceId: WorkspaceId
  /** The workspace's path: where `.holdfast/` lives. */
  readonly project: string
  /** Where the agent works; the project or below it. */
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
  /** Time with a live run, summed over runs that are over. */
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
  /** What its agent last told as the sum of a whole session: such sums are not added up. */
  readonly sessionUsage: SessionUsage | null
  readonly stop: StopOrder | null
  /** Tools that hooks or rules of the user's kept it from using, oldest first. */
  readonly hookViolations: readonly string[]
  /** Automatic retries since something was last achieved. */
  readonly retries: number
  readonly restart: RestartOrder | null
  /** Whose limits it shares: agent, configuration and login, as a hash. */
  readonly account: string | null
  readonly archivedAt: number | null
  readonly verification: Verification | null
  /** `<role>@<workspace slug>` of a runtime; null for every other task. */
  readonly runtime: string | null
}
/** One row of `list`: everything but the snapshot. */
export type TaskSummary = TaskFacts & TaskState
export type QueuedTask = TaskFacts & QueuedState
/** Backing off or parked. */
export type TimedTask = TaskFacts & TimedState
export type Task = TaskSummary & { readonly snapshot: Snapshot }

export type SessionUsage = {
  readonly session: string | null
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
}

/** The last word of its verifier. */
export type Verification = {
  readonly verified: boolean
  /** How often it was sent back with the verifier's words. */
  readonly rounds: number
  /** Of what was found: the same twice means that nothing changes. */
  readonly fingerprint: string
  readonly failures: readonly string[]
  readonly at: number
}

/** What a table of tasks shows, and no more: there may be thousands. */
export type TaskRow = TaskState &
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
  >

/** What the agent said about how its run ended. Absent means: it did not say. */
export type AgentResult = { readonly ok: boolean; readonly text: string }

export type Run = {
  readonly id: RunId
  readonly taskId: TaskId
  readonly number: number
  readonly state: RunState
  readonly createdAt: number
  readonly startedAt: number | null
  /** Monotonic milliseconds of this boot when it was seen live; with bootId it survives clock jumps. */
  readonly liveSinceMono: number | null
  readonly endedAt: number | null
  readonly pid: number | null
  readonly startTicks: number | null
  readonly bootId: string | null
  readonly exitCode: number | null
  readonly exitSignal: string | null
  /** Bytes of events.jsonl whose effects are stored; just after a newline, or the end of what an ended agent left. */
  readonly eventsOffset: number
  /** Length of output.log that belongs to that offset. */
  readonly outputLength: number
  /** Bytes of its input file that are promised; what is missing there is written again. */
  readonly inputLength: number
  readonly unknownLines: number
  /** Its event file was cut or deleted: what it told there, nobody knows. */
  readonly eventsLost: 0 | 1
  /** What the agent said last; its result when it ends without repeating it. */
  readonly lastWords: string | null
  readonly result: AgentResult | null
  /** How it began. */
  readonly how: 'start' | Way
  /** All that it was told at its start when it went on after an earlier run; null is nothing, or the first prompt of a first run. */
  readonly told: string | null
  /** Tool calls that it began, as far as it tells. */
  readonly tools: number
  /** Tool calls and turns that it ended: what it achieved. */
  readonly progress: number
  /** Why its last turn failed, in its own words' class. */
  readonly failure: FailureClass | null
  /** Its word on when a limit is over. */
  readonly limitedUntil: number | null
  /** It told a session id that cannot be one. */
  readonly sessionRefused: 0 | 1
  /** Daemons that died while they handled it. */
  readonly daemonDeaths: number
  /** What it did last, oldest first. */
  readonly steps: readonly RunStep[]
}

/** One thing an agent did. */
export type RunStep = {
  readonly tool: string
  readonly detail: string
  /** Null while its end was not told. */
  readonly ok: boolean | null
  /** What it wrote to. */
  readonly file?: string
  /** The agent's own name for this call. */
  readonly call?: string
}

/** Something said to a task's agent: queued, then said to one run, then heard, and for a prompt, worked off. */
export type Input = {
  readonly taskId: TaskId
  /** 1, 2, 3… per task: the order in which they are said. */
  readonly number: number
  /** `continuation`: said by Holdfast to a run that goes on, before all else. `end`: nothing more will come; the conversation ends when its turn does. `finish`: a person's order that it is completed then; never said. */
  readonly kind: 'prompt' | 'continuation' | 'answer' | 'end' | 'finish'
  readonly text: string
  /** For an answer: the question's number, and which option was chosen, from 0. */
  readonly question: number | null
  readonly option: number | null
  readonly by: string
  readonly at: number
  readonly runId: RunId | null
  /** What was written, and where. Null for what was typed. */
  readonly line: string | null
  readonly offset: number | null
  readonly saidAt: number | null
  /** The agent's own word that it has it. */
  readonly heardAt: number | null
  /** The turn it began is over. */
  readonly doneAt: number | null
}

/** Something an agent asked. */
export type Question = {
  readonly taskId: TaskId
  /** 1, 2, 3… per task. */
  readonly number: number
  readonly runId: RunId
  readonly text: string
  readonly options: readonly string[]
  /** What the agent calls it, where it is answered by a line. */
  readonly ref: string | null
  readonly askedAt: number
  readonly answer: string | null
  readonly answeredBy: string | null
  readonly answeredAt: number | null
  /** The agent goes on, or is gone. */
  readonly settledAt: number | null
}

export type Workspace = {
  readonly id: WorkspaceId
  readonly slug: string
  readonly path: string
  readonly addedAt: number
  readonly addedBy: string
}
