// Owns the wire contract between clients and the daemon: HTTP over the home's unix socket.
// Types only, so that the thin client loads nothing; the server checks payloads with its own schemas.

import type { ArchiveManyJson, KillManyJson, RemoveManyJson } from './json/bulk-json.ts'
import type { ChangesJson, FileDiffJson } from './json/changes-json.ts'
import type { CreatedJson, CreateTaskJson } from './json/create-json.ts'
import type {
  AgentFoundJson,
  AuditPageJson,
  HealthJson,
  ReadyJson,
  StatsJson,
  TmuxOutageJson,
} from './json/daemon-json.ts'
import type { AnsweredJson, AnswerJson, InputJson, SentJson } from './json/input-json.ts'
import type { JournalJson } from './json/journal-json.ts'
import type { PromptJson, ResultJson, ScreenJson, StatusCheckJson } from './json/life-json.ts'
import type { MonitorAskJson, MonitorLookJson } from './json/monitor-json.ts'
import type { ChannelJson, NoticeLogJson, NotifyTestedJson } from './json/notify-json.ts'
import type {
  ArchivedJson,
  FinishedJson,
  KeysJson,
  KeysPressedJson,
  KilledJson,
  KillJson,
  OrderJson,
  RemovedJson,
} from './json/order-json.ts'
import type { ConfigEntryJson, RoleJson, TrustFileJson, WorkspaceJson } from './json/project-json.ts'
import type {
  LastRunsJson,
  OpenQuestionJson,
  ParksJson,
  ResumeJson,
  RetryJson,
  UnparkedJson,
  WhyJson,
} from './json/recovery-json.ts'
import type { ReportJson } from './json/report-json.ts'
import type {
  HeartbeatAskJson,
  HeartbeatJson,
  ResultSubmittedJson,
  SelfJson,
  SubmitResultJson,
} from './json/run-json.ts'
import type {
  RuntimeDetailJson,
  RuntimeJson,
  RuntimeListQuery,
  RuntimeRemovedJson,
  RuntimeStartedJson,
  RuntimeStoppedJson,
  StartRuntimeJson,
} from './json/runtime-json.ts'
import type { TaskDetailJson, TaskListJson, TaskRowsJson } from './json/task-json.ts'
import type { TerminalJson } from './json/terminal-json.ts'
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
} from './json/thread-json.ts'
import type {
  ForceJson,
  TriggerDetailJson,
  TriggerListJson,
  TriggerListQuery,
  TriggerQuery,
} from './json/trigger-json.ts'
import type { StepVerifiedJson, VerifiedJson, VerifyJson, VerifyStepJson } from './json/verify-json.ts'
import type {
  MakeTokenJson,
  OpenWebJson,
  TokenMadeJson,
  WebJson,
  WebLinkJson,
  WebTokenJson,
} from './json/web-json.ts'

/**
 * A page holds sessions that have not ended, then at most `limit` (50) that have. It stays small: `next` leads to the
 * next page, also from an empty one. `after`: the `next` of the page before. `totals=0` leaves out the totals.
 */
export type ListQuery = {
  status?: string
  tag?: string
  project?: string
  /** An agent or a role. */
  agent?: string
  /** A session: only those that it started. */
  parent?: string
  archived?: string
  /** `1`: runtimes too. */
  runtimes?: string
  /** ISO 8601: only sessions that ended then or later; the one that ended last comes first. */
  ended_since?: string
  limit?: string
  after?: string
  totals?: string
}

/** Which part of a log: see the route of the output. */
export type LogPart = { from?: string; last?: string; most?: string; follow?: string }

/** Every route: method, path, what goes in, what comes out. */
export type Api = {
  'GET /api/health': { out: HealthJson }
  /** Text for Prometheus; see docs/metrics.md. */
  'GET /metrics': { out: string }
  /** 503 when it is not ready. */
  'GET /api/ready': { out: ReadyJson }
  /** The agents that tasks of the page would be given. Each is asked for its version: this takes a while. */
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
  /** What its agent does now, however long its story is. `last`: how many runs, from 1 to 20; 1 when absent. */
  'GET /api/tasks/:id/runs': { query: { last?: string }; out: LastRunsJson }
  /** All that a colleague needs to know of the session, in one answer: secrets removed, long texts cut. */
  'GET /api/tasks/:id/report': { out: ReportJson }
  /** `tmux`: not null only while sessions wait for it. */
  'GET /api/questions': {
    query: { task?: string }
    out: { questions: OpenQuestionJson[]; tmux: TmuxOutageJson | null }
  }
  'GET /api/parks': { out: ParksJson }
  /** Opens every gate, so that all sessions go on. JSON lines of UnparkedOneJson, see BulkLine. */
  'POST /api/parks/unpark': { out: string }
  'GET /api/tasks/:id/screen': { out: ScreenJson }
  /** Whether there is a live terminal. As a WebSocket, the terminal itself; with `typing=1` it takes keys. */
  'GET /api/tasks/:id/terminal': { query: { typing?: string }; out: TerminalJson }
  /** Only for a session in a terminal. A run may not. */
  'POST /api/tasks/:id/keys': { in: KeysJson; out: KeysPressedJson }
  /** Stores the time that it read from the statusline, for the next check. */
  'POST /api/tasks/:id/status-check': { out: StatusCheckJson }
  /** From inside a run, for that run only. */
  'POST /api/tasks/:id/heartbeat': { in: HeartbeatAskJson; out: HeartbeatJson }
  /** Against the commit and the files as they were when the session began. */
  'GET /api/tasks/:id/changes': { out: ChangesJson }
  /** Of a file that `changes` names. */
  'GET /api/tasks/:id/diff': { query: { path: string }; out: FileDiffJson }
  'GET /api/tasks/:id/prompt': { out: PromptJson }
  'GET /api/tasks/:id/result': { out: ResultJson }
  /** Stored at once, and read again when the session ends. From inside a run, for its own session only. */
  'POST /api/tasks/:id/result': { in: SubmitResultJson; out: ResultSubmittedJson }
  /** Which run asks. ONLY_FOR_RUNS for a person. */
  'GET /api/self': { out: SelfJson }
  /** Said by the tools of Holdfast when the agent of the run that asks has started them. */
  'POST /api/self/bridge': { out: SelfJson }
  /**
   * Text. `follow=1` streams until the task has ended, or with `until=idle` until its turn is over. `from` is a byte
   * offset, so that a reader can go on after a restart of the daemon. `last`: begins so many bytes before the end.
   * `most`: ends after so many bytes.
   */
  'GET /api/tasks/:id/output': {
    query: LogPart & { until?: 'idle' | 'ended' }
    out: string
  }
  'GET /api/tasks/:id/raw': { query: Omit<LogPart, 'last'>; out: string }
  'GET /api/tasks/:id/session-log': { query: LogPart; out: string }
  /** SSE; `id:` is the number of the event. Ends after the task's last event; with `follow=0` after those that are there. Resumes with Last-Event-ID. */
  'GET /api/tasks/:id/events': { query: { after?: string; follow?: string }; out: string }
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
  'GET /api/runtimes': { query: RuntimeListQuery; out: { runtimes: RuntimeJson[] } }
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
  'GET /api/journal': { out: JournalJson }
  /** Tries the events that were set aside once more. A run may not. */
  'POST /api/journal/retry': { out: JournalJson }
  /** `event`: the `id` of one that is set aside, or the `name` of a subscriber of a daemon that is silent. It is given up. A run may not. */
  'POST /api/journal/drop': { in: { event: string }; out: JournalJson }
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
