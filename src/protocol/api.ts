// Owns the wire contract between clients and the daemon: HTTP over the home's unix socket.
// Types only, so that the thin client loads nothing; the server checks payloads with its own schemas.

import type { Sanitised } from '../domain/conversation/words-of.ts'
import type { ErrorCode, WayOut } from '../domain/errors.ts'
import type { Permission } from '../domain/run/permission.ts'
import type { OrderKind, OrderState } from '../domain/task/order.ts'
import type { SessionState } from '../domain/task/session-state.ts'
import type { TriggerCode } from '../domain/trigger/codes.ts'
import type { TriggerState } from '../domain/trigger/machine.ts'
import type { ArchiveManyJson, KillManyJson, RemoveManyJson } from './bulk-json.ts'
import type { MonitorAskJson, MonitorLookJson } from './monitor-json.ts'
import type { ChannelJson, NoticeLogJson, NotifyTestedJson } from './notify-json.ts'
import type {
  OpenQuestionJson,
  ParksJson,
  ResumeJson,
  RetryJson,
  UnparkedJson,
  WhyJson,
} from './recovery-json.ts'
import type {
  HeartbeatAskJson,
  HeartbeatJson,
  ResultSubmittedJson,
  SelfJson,
  SubmitResultJson,
} from './run-json.ts'
import type {
  RuntimeDetailJson,
  RuntimeJson,
  RuntimeRemovedJson,
  RuntimeStartedJson,
  RuntimeStoppedJson,
  StartRuntimeJson,
} from './runtime-json.ts'
import type {
  KeptBackJson,
  NextJson,
  QuestionJson,
  TaskDetailJson,
  TaskJson,
  TaskListJson,
  TaskRowsJson,
} from './task-json.ts'
import type {
  ContinuedJson,
  ContinueThreadJson,
  CreateThreadJson,
  MessageListJson,
  PostedJson,
  PostMessageJson,
  ReadThreadJson,
  ThreadDetailJson,
  ThreadJson,
  ThreadListJson,
  UnreadJson,
} from './thread-json.ts'
import type {
  ForceJson,
  TriggerDetailJson,
  TriggerEvidenceJson,
  TriggerListJson,
  TriggerListQuery,
  TriggerQuery,
} from './trigger-json.ts'

import type {
  MakeTokenJson,
  OpenWebJson,
  TokenMadeJson,
  WebJson,
  WebLinkJson,
  WebTokenJson,
} from './web-json.ts'

/** Room for the longest prompt that settings allow, written as JSON, and for the caller's environment. */
export const LARGEST_BODY_BYTES = 40 * 1024 * 1024
/** Sent with every request: the version of the client. */
export const HEADER_VERSION = 'x-holdfast-version'
/** Sent with an order: an order that comes again with the same key is the same order. */
export const HEADER_KEY = 'idempotency-key'
/** Sent by a client inside a run, which may do less: the id of the run. */
export const HEADER_RUN = 'x-holdfast-run'
/** Sent with every request, for the audit: `user@tty` of the caller, as far as the client knows. */
export const HEADER_ACTOR = 'x-holdfast-actor'

/** What can be done with a session instead of what failed. */
export type WayOutJson = { do: WayOut['do']; session_id: string }
export type ErrorJson = { code: ErrorCode; message: string; hint: string; ways_out: WayOutJson[] }

export type CreateTaskJson = {
  prompt: string
  /** The absolute path of the directory in which the agent works. */
  dir: string
  agent?: string
  role?: string
  model?: string
  name?: string
  /** What the task is about; the prompt's first words when absent. */
  title?: string
  mode?: 'headless' | 'interactive'
  converse?: boolean
  /** What the agent may do without asking; `default` is the agent's own setting. */
  permissions?: Permission
  /** Absolute paths of directories that the agent may work in besides `dir`. */
  extra_dirs?: string[]
  priority?: 'low' | 'normal' | 'high'
  tags?: string[]
  meta?: Record<string, string>
  /** The caller's environment. What the allow-list, `env.pass` and the agent let through is kept, in a file of mode 0600. */
  env?: Record<string, string>
  /** Variables that the caller named with `--env`: kept as given. */
  set_env?: Record<string, string>
  /** Which command's defaults apply; `run` when absent. */
  command?: 'create' | 'run'
  /** Null: no limit. Absent: the default of the command. */
  max_duration_seconds?: number | null
  /** Checks as in docs/verify.md. Null: none. Absent: those of the config. */
  verify?: unknown[] | null
  no_queue?: boolean
  /** Allows agents to work in the directory. A person does so by using it; a run cannot. */
  allow_dir?: boolean
  /** Allows it also when that is the caller's whole home directory, or `/`: the person was asked. */
  allow_wide_dir?: boolean
}
/** An order for a session, and its outcome. */
export type OrderJson = {
  id: string
  kind: OrderKind
  by: string
  at: string
  state: OrderState
  settled_at: string | null
  /** Why it was refused or came too late; null otherwise. */
  error: Pick<ErrorJson, 'code' | 'message'> | null
}

/** `workspace_added`: by this call. `without_window`: until tmux works again. `disk_filling`: sessions use more than they should. */
export type NoticeKind = 'workspace_added' | 'without_window' | 'waits_for_tmux' | 'disk_filling'
/** `notice_kinds`: the kind of each of the `notices`, in the same order. */
export type CreatedJson = { task: TaskDetailJson; notices: string[]; notice_kinds: NoticeKind[] }
export type KillJson = { reason?: string }
/** `already_ended`: nothing was done. Answered when the processes are gone. */
export type KilledJson = { already_ended: boolean; task: TaskJson }
/** `removed`: the task as it was before. */
export type RemovedJson = { removed: TaskJson }
/** `finished`: the task has ended. If not, it ends when its turn is over or its work is verified. */
export type FinishedJson = { already_ended: boolean; finished: boolean; task: TaskJson }
/** `already_archived`: nothing was done. */
export type ArchivedJson = { already_archived: boolean; task: TaskJson }
/** `choice`: an option's number (from 1) or words, or any other text. `question`: its number, when several are open. */
export type AnswerJson = { choice: string; question?: number }
/** `settled`: the agent goes on. Otherwise it has not taken the answer yet. */
export type AnsweredJson = {
  session_id: string
  question: QuestionJson
  answer: string
  settled: boolean
  /** The task after the answer: it may have ended because of it. */
  task: TaskJson
}
/**
 * A prompt, or `end`: no more prompts will come. The same `key` with the same prompt is the same trigger. With a `thread`
 * the agent gets it in an envelope. `force`: typed although somebody typed there a moment ago.
 */
export type InputJson =
  | {
      prompt: string
      thread?: string
      reason?: string
      key?: string
      force?: ForceJson
    }
  | { end: true }
/**
 * `said` to the agent, and `heard` by it, as far as is known. `next` and `kept_back` are those of `status`. The fields of
 * the trigger are null, and `evidence` and `sanitised` empty, for `end`.
 */
export type SentJson = {
  trigger_id: string | null
  state: TriggerState | null
  code: TriggerCode | null
  /** What its state was concluded from. */
  evidence: TriggerEvidenceJson[]
  /** What of the text the agent does not get as it was sent. */
  sanitised: Sanitised[]
  /** Who forced it; of two, the first. */
  forced_by: string | null
  session_id: string
  number: number
  said: boolean
  heard: boolean
  phase: TaskJson['phase']
  mode: TaskJson['mode']
  next: NextJson
  kept_back: KeptBackJson | null
}
export type ScreenJson = { session_id: string; screen: string; live: boolean }
/** Whether a session is alive. `session_state` is `other_checks`, corrected by the clock of the session's statusline. */
export type StatusCheckJson = {
  session_id: string
  session_state: SessionState
  other_checks: SessionState
  phase: string | null
  /** The clock of the statusline as HH:MM:SS, at the last check and now; null when none was seen. */
  previous_time: string | null
  current_time: string | null
  context_percent: number | null
  silent_seconds: number | null
}
export type ResultJson = { session_id: string; result: unknown }
export type RoleJson = {
  role: string
  description: string
  agent: string | null
  model: string | null
  file: string
  problem: string | null
  /** True when the problem is that nobody has approved the file. */
  needs_trust: boolean
}
export type WorkspaceJson = { id: string; slug: string; path: string; added_at: string; added_by: string }
/** `why`: the reason of a failed check; null when `ok`. `output`: the end of what a failed command printed. */
export type CheckJson = { check: string; ok: boolean; why: string | null; output: string }
/** `env`: the caller's environment, for a task that has ended and has none any more. */
export type VerifyJson = { env?: Record<string, string> }
export type VerifiedJson = { session_id: string; verified: boolean; checks: CheckJson[] }
/** Paths are absolute. `allow_dir` as for a task. */
export type VerifyStepJson = {
  step: string
  story: string
  dir: string
  state_file?: string
  env?: Record<string, string>
  allow_dir?: boolean
}
/** `source`: the file that holds the contract. */
export type StepVerifiedJson = {
  step: string
  story: string
  source: string
  verified: boolean
  checks: CheckJson[]
}
/** `text` is the value as one would write it in the file. */
export type ConfigEntryJson = { key: string; value: unknown; text: string; source: string; about: string }
/** A project's file that executes something or widens what agents may do, and what exactly. */
export type TrustFileJson = {
  file: string
  sha256: string
  /** Approved with this content, with another content, or never. */
  approval: 'approved' | 'changed' | 'new'
  allows: string[]
}
/** Who did what. `actor`: a person, `run <id>`, or `holdfast` itself. */
export type AuditEntryJson = {
  at: string
  kind: string
  session_id: string | null
  actor: string
  detail: string
}
/** Newest first. A page may hold fewer than asked for, or none, and still have a `next`. */
export type AuditPageJson = { entries: AuditEntryJson[]; next: string | null }
/** The disk space of all sessions outside the archive, as far as it was measured. */
export type DiskJson = { bytes: number; what: string; too_much: boolean }
export type HealthJson = {
  version: string
  pid: number
  home: string
  node_id: string
  started_at: string
  tmux: 'up' | 'down' | 'hung' | 'given_up' | 'missing'
  /** Null when terminals can be opened. */
  tmux_outage: TmuxOutageJson | null
  tmux_socket: string
  store: 'sqlite' | 'postgres'
  max_concurrent: number
  stats: StatsJson
  disk: DiskJson
}
/** `ready`: tasks are accepted and carried out. A check that is not `ok` may still let most of them work. */
export type ReadyJson = { ready: boolean; checks: ReadyCheckJson[] }
export type ReadyCheckJson = { name: 'store' | 'tmux' | 'disk'; ok: boolean; what: string }
/** An agent kind, and where its program is; `path` is null when it was not found, or comes with Holdfast. */
export type AgentFoundJson = { kind: string; path: string | null; found: boolean }
/** Why no terminal can be opened, and which sessions wait for one. */
export type TmuxOutageJson = {
  state: Exclude<HealthJson['tmux'], 'up'>
  /** In plain words. */
  why: string
  since: string
  /** The process of a server that does not answer, where it is known. */
  pid: number | null
  /** When Holdfast tries again; null when it tries all the time, or can do nothing. */
  retry_at: string | null
  /** The interactive sessions that wait for tmux. */
  waiting: string[]
}
export type StatsJson = {
  pending: number
  running: number
  waiting_input: number
  completed: number
  failed: number
  cancelled: number
  total: number
}

/**
 * A page holds sessions that have not ended, then at most `limit` (50) that have. It stays small: `next` leads to the
 * next page, also from an empty one. `after`: the `next` of the page before. `totals=0` leaves out the totals.
 */
export type ListQuery = {
  status?: string
  tag?: string
  project?: string
  archived?: string
  /** `1`: runtimes too. */
  runtimes?: string
  limit?: string
  after?: string
  totals?: string
}

/** Every route: method, path, what goes in, what comes out. */
export type Api = {
  'GET /api/health': { out: HealthJson }
  /** 503 when it is not ready. */
  'GET /api/ready': { out: ReadyJson }
  /** The agents that tasks of the page would be given. */
  'GET /api/agents': { out: { agents: AgentFoundJson[] } }
  /** This API as OpenAPI 3.1. */
  'GET /api/openapi.json': { out: Record<string, unknown> }
  /** Tries to start tmux now, when Holdfast waits before the next try. */
  'POST /api/tmux/try': { out: HealthJson }
  'POST /api/shutdown': { out: { stopping: true } }
  'POST /api/tasks': { in: CreateTaskJson; out: CreatedJson }
  'GET /api/tasks': { query: ListQuery; out: TaskListJson }
  /** The same list, but only the fields that a table shows. */
  'GET /api/tasks/rows': { query: ListQuery; out: TaskRowsJson }
  /** The sessions that have not ended. */
  'GET /api/tasks/active': { query: ListQuery; out: TaskListJson }
  'GET /api/tasks/stats': { out: StatsJson }
  'GET /api/tasks/:id': { out: TaskDetailJson }
  /** Only for an ended session; removes all its files. A run may not. */
  'DELETE /api/tasks/:id': { out: RemovedJson }
  /** How many sessions would be removed. */
  'POST /api/tasks/removable': { in: RemoveManyJson; out: { count: number } }
  /** JSON lines, see `BulkLine`; each result a `RemovedJson`. */
  'POST /api/tasks/remove': { in: RemoveManyJson; out: string }
  /** The orders for a session with their outcomes, newest first. */
  'GET /api/tasks/:id/orders': { out: { orders: OrderJson[] } }
  'POST /api/tasks/:id/kill': { in: KillJson; out: KilledJson }
  /** Answered when the session has ended, or after a while. */
  'POST /api/tasks/:id/finish': { out: FinishedJson }
  'POST /api/tasks/:id/archive': { out: ArchivedJson }
  /** JSON lines of KilledJson, see BulkLine. */
  'POST /api/tasks/kill': { in: KillManyJson; out: string }
  /** JSON lines of ArchivedJson, see BulkLine. */
  'POST /api/tasks/archive': { in: ArchiveManyJson; out: string }
  /** Answered when all checks are done. When the caller closes the connection, they are stopped. */
  'POST /api/tasks/:id/verify': { in: VerifyJson; out: VerifiedJson }
  'POST /api/verify-step': { in: VerifyStepJson; out: StepVerifiedJson }
  'POST /api/tasks/:id/answer': { in: AnswerJson; out: AnsweredJson }
  'POST /api/tasks/:id/inputs': { in: InputJson; out: SentJson }
  /** Newest first. `to`: a session. `limit`: 100 when absent. */
  'GET /api/triggers': { query: TriggerListQuery; out: TriggerListJson }
  'GET /api/triggers/:id': { query: TriggerQuery; out: TriggerDetailJson }
  /** Of two who force it, the first counts: `forced_by` says whose word it was; null when it was typed before. A run may not. */
  'POST /api/triggers/:id/force': { in: ForceJson; out: TriggerDetailJson }
  /** Only from inside the run that was given it, or that resumed its session. */
  'POST /api/triggers/:id/ack': { out: TriggerDetailJson }
  /** Answered when the order is stored. A run may not. */
  'POST /api/tasks/:id/resume': { in: ResumeJson; out: TaskDetailJson }
  'POST /api/tasks/:id/retry': { in: RetryJson; out: TaskDetailJson }
  'POST /api/tasks/:id/takeover': { out: TaskDetailJson }
  'POST /api/tasks/:id/handback': { out: TaskDetailJson }
  'POST /api/tasks/:id/unpark': { out: UnparkedJson }
  'GET /api/tasks/:id/why': { out: WhyJson }
  /** `tmux`: not null only while sessions wait for it. */
  'GET /api/questions': { out: { questions: OpenQuestionJson[]; tmux: TmuxOutageJson | null } }
  'GET /api/parks': { out: ParksJson }
  /** Opens every gate, so that all sessions go on. JSON lines of UnparkedOneJson, see BulkLine. */
  'POST /api/parks/unpark': { out: string }
  'GET /api/tasks/:id/screen': { out: ScreenJson }
  /** Stores the time that it read from the statusline, for the next check. */
  'POST /api/tasks/:id/status-check': { out: StatusCheckJson }
  /** From inside a run, for that run only. */
  'POST /api/tasks/:id/heartbeat': { in: HeartbeatAskJson; out: HeartbeatJson }
  'GET /api/tasks/:id/result': { out: ResultJson }
  /** Stored at once, and read again when the session ends. From inside a run, for its own session only. */
  'POST /api/tasks/:id/result': { in: SubmitResultJson; out: ResultSubmittedJson }
  /** Which run asks. ONLY_FOR_RUNS for a person. */
  'GET /api/self': { out: SelfJson }
  /** Said by the tools of Holdfast when the agent of the run that asks has started them. */
  'POST /api/self/bridge': { out: SelfJson }
  /**
   * Text. `follow=1` streams until the task has ended, or with `until=idle` until its turn is over. `from` is a byte
   * offset, so that a reader can go on after a restart of the daemon.
   */
  'GET /api/tasks/:id/output': {
    query: { from?: string; follow?: string; until?: 'idle' | 'ended' }
    out: string
  }
  'GET /api/tasks/:id/raw': { query: { from?: string; follow?: string }; out: string }
  'GET /api/tasks/:id/session-log': { query: { from?: string; follow?: string }; out: string }
  /** SSE; `id:` is the number of the event. The stream ends after the task's last event. Resumes with Last-Event-ID. */
  'GET /api/tasks/:id/events': { out: string }
  /** SSE over all tasks, without end. `id:` is an opaque place; resumes with Last-Event-ID or `after`. `kind`: several with commas. */
  'GET /api/events': {
    query: { after?: string; from?: 'start' | 'now'; task?: string; kind?: string }
    out: string
  }
  /** Changes only the cursor, and only by `ack`: so the request may be repeated. */
  'POST /api/monitor': { in: MonitorAskJson; out: MonitorLookJson }
  'POST /api/threads': { in: CreateThreadJson; out: ThreadJson }
  /** `mine=1`: those the caller is a member of. `unread=1`: of these, those with messages the caller is not done with. */
  'GET /api/threads': {
    query: { state?: 'open' | 'blocked'; mine?: '1'; unread?: '1'; after?: string; limit?: string }
    out: ThreadListJson
  }
  'GET /api/threads/:id': { out: ThreadDetailJson }
  /** All messages after a number; moves no cursor. */
  'GET /api/threads/:id/messages': { query: { after?: string; limit?: string }; out: MessageListJson }
  'POST /api/threads/:id/messages': { in: PostMessageJson; out: PostedJson }
  /** Moves the caller's cursor only by `up_to`, and only forwards: so the request may be repeated. */
  'POST /api/threads/:id/read': { in: ReadThreadJson; out: UnreadJson }
  /** For people and the orchestrator. */
  'POST /api/threads/:id/continue': { in: ContinueThreadJson; out: ContinuedJson }
  /** `since`: ISO 8601; `task`: an id or its beginning; `limit`: 100 when absent; `after`: the `next` of the page before. */
  'GET /api/audit': {
    query: { since?: string; task?: string; kind?: string; limit?: string; after?: string }
    out: AuditPageJson
  }
  'GET /api/runtimes': { out: { runtimes: RuntimeJson[] } }
  /** Answered when the runtime is ready, or with RUNTIME_NOT_READY. A run may not. */
  'POST /api/runtimes': { in: StartRuntimeJson; out: RuntimeStartedJson }
  /** By id, `<role>@<workspace>`, pane, or a role that one workspace alone has. */
  'GET /api/runtimes/:id': { out: RuntimeDetailJson }
  /** Answered when the processes are gone. */
  'POST /api/runtimes/:id/stop': { out: RuntimeStoppedJson }
  /** Answered when it is ready again, or with RUNTIME_NOT_READY. */
  'POST /api/runtimes/:id/restart': { out: { runtime: RuntimeJson } }
  /** Stops it first; removes its task and all its files. */
  'DELETE /api/runtimes/:id': { out: RuntimeRemovedJson }
  /** The TCP port of the page and of this API. What changes it can be done only on the unix socket. */
  'GET /api/web': { out: WebJson }
  /** Opens it, and again after a restart. */
  'POST /api/web': { in: OpenWebJson; out: WebJson }
  'DELETE /api/web': { out: { closed: boolean; web: WebJson } }
  /** A link that lets one browser in. */
  'POST /api/web/links': { out: WebLinkJson }
  'GET /api/web/tokens': { out: { tokens: WebTokenJson[] } }
  'POST /api/web/tokens': { in: MakeTokenJson; out: TokenMadeJson }
  /** By name. */
  'DELETE /api/web/tokens/:id': { out: { revoked: WebTokenJson } }
  'GET /api/roles': { query: { dir: string }; out: { roles: RoleJson[] } }
  'GET /api/workspaces': { out: { workspaces: WorkspaceJson[] } }
  'POST /api/workspaces': {
    in: { path: string; slug?: string }
    out: { workspace: WorkspaceJson; added: boolean }
  }
  'DELETE /api/workspaces/:id': { out: { removed: WorkspaceJson } }
  'GET /api/config': {
    query: { dir: string }
    out: { entries: ConfigEntryJson[]; files: string[]; notes: string[] }
  }
  'GET /api/notify/channels': { out: { channels: ChannelJson[] } }
  /** Newest first. `limit`: 50 when absent; `after`: the `next` of the page before. */
  'GET /api/notify/log': {
    query: { channel?: string; limit?: string; after?: string }
    out: NoticeLogJson
  }
  /** CHANNEL_FAILED when the channel did not take it. A run may not. */
  'POST /api/notify/test': { in: { channel: string }; out: NotifyTestedJson }
  /** What was set aside for the channel is tried again. A run may not. */
  'POST /api/notify/retry': { in: { channel: string }; out: { channels: ChannelJson[] } }
  'GET /api/trust': { query: { dir: string }; out: { project: string; files: TrustFileJson[] } }
  /** Approves all files or none; NOT_TRUSTED when one is no longer what the person saw. A run may not. */
  'POST /api/trust': {
    in: { dir: string; files: { file: string; sha256: string }[] }
    out: { project: string; files: TrustFileJson[] }
  }
  /** Takes back the approval of one file, or of all below a directory; also of files that no longer exist. */
  'DELETE /api/trust': { query: { path: string }; out: { revoked: string[] } }
}
export type Route = keyof Api
