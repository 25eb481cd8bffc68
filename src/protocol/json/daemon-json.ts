// Owns the JSON of the installation as a whole: its health, its counts, its record.
import type { JournalTroubleJson } from './journal-json.ts'

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
/** `bytes`: the disk space of all sessions outside the archive, as far as it was measured. */
export type DiskJson = {
  bytes: number
  /** What can still be written where the home lies; null when that cannot be told. */
  free_bytes: number | null
  /** In plain words. */
  what: string
  /** The sessions take more than they should. */
  too_much: boolean
  /** Too little is free for agents to work. */
  too_little_free: boolean
}
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
  /** Of all sessions in the store. Several daemons may share one. */
  stats: StatsJson
  /** Of the sessions of this daemon. */
  own_stats: StatsJson
  disk: DiskJson
  journal: JournalTroubleJson
}
/** Of what belongs to another daemon on the same store: that alone sees and moves it. */
export type ElsewhereJson = {
  node_id: string
  host: string
  /** Since when nothing was heard of that daemon: states are then what it told last. Null while it gives signs of life. */
  silent_since: string | null
}
/** `ready`: tasks are accepted and carried out. A check that is not `ok` may still let most of them work. */
export type ReadyJson = { ready: boolean; checks: ReadyCheckJson[] }
export type ReadyCheckJson = { name: 'store' | 'tmux' | 'disk'; ok: boolean; what: string }
/** An agent kind, and where its program is. */
export type AgentFoundJson = {
  kind: string
  /** Null when it was not found, or comes with Holdfast. */
  path: string | null
  found: boolean
  /** Null when it could not be found out. */
  version: string | null
  /** Why it cannot be used; null when nothing is known against it. */
  unusable: string | null
  /** Whether somebody is logged in, as far as files and variables show; null where there is no known sign. */
  login: 'yes' | 'no' | 'unknown' | null
  /** How to log in; null where there is no known sign of a login. */
  login_fix: string | null
  /** How to install it; null for one that comes with Holdfast. */
  install: string | null
}
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
