// Owns the shapes, for the API document, of what is told of the daemon and its projects: health, settings, roles, the audit.
import * as z from 'zod/mini'
import type {
  AgentFoundJson,
  AuditEntryJson,
  AuditPageJson,
  DiskJson,
  HealthJson,
  ReadyJson,
  StatsJson,
  TmuxOutageJson,
} from '../../../protocol/json/daemon-json.ts'
import type {
  ConfigEntryJson,
  RoleJson,
  TrustFileJson,
  WorkspaceJson,
} from '../../../protocol/json/project-json.ts'
import type { TokenMadeJson, WebJson, WebLinkJson, WebTokenJson } from '../../../protocol/json/web-json.ts'
import { trouble } from './journal.ts'
import { count, named, orNull, time } from './named.ts'

export const stats = named(
  'StatsJson',
  z.object({
    pending: count,
    running: count,
    waiting_input: count,
    completed: count,
    failed: count,
    cancelled: count,
    total: count,
  }),
) satisfies z.ZodMiniType<StatsJson>
const disk = named(
  'DiskJson',
  z.object({
    bytes: z.number(),
    free_bytes: orNull(z.number()),
    what: z.string(),
    too_much: z.boolean(),
    too_little_free: z.boolean(),
  }),
) satisfies z.ZodMiniType<DiskJson>
const down = ['down', 'hung', 'given_up', 'missing'] as const
export const outage = named(
  'TmuxOutageJson',
  z.object({
    state: z.enum(down),
    why: z.string(),
    since: time,
    pid: orNull(count),
    retry_at: orNull(time),
    waiting: z.array(z.string()),
  }),
) satisfies z.ZodMiniType<TmuxOutageJson>
export const health = named(
  'HealthJson',
  z.object({
    version: z.string(),
    pid: count,
    home: z.string(),
    node_id: z.string(),
    started_at: time,
    tmux: z.enum(['up', ...down]),
    tmux_outage: orNull(outage),
    tmux_socket: z.string(),
    store: z.enum(['sqlite', 'postgres']),
    max_concurrent: count,
    stats,
    own_stats: stats,
    disk,
    journal: trouble,
  }),
) satisfies z.ZodMiniType<HealthJson>
export const ready = named(
  'ReadyJson',
  z.object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.enum(['store', 'tmux', 'disk']), ok: z.boolean(), what: z.string() })),
  }),
) satisfies z.ZodMiniType<ReadyJson>
export const agentFound = named(
  'AgentFoundJson',
  z.object({
    kind: z.string(),
    path: orNull(z.string()),
    found: z.boolean(),
    version: orNull(z.string()),
    unusable: orNull(z.string()),
    login: orNull(z.enum(['yes', 'no', 'unknown'])),
    login_fix: orNull(z.string()),
    install: orNull(z.string()),
  }),
) satisfies z.ZodMiniType<AgentFoundJson>

export const role = named(
  'RoleJson',
  z.object({
    role: z.string(),
    description: z.string(),
    agent: orNull(z.string()),
    model: orNull(z.string()),
    file: z.string(),
    problem: orNull(z.string()),
    needs_trust: z.boolean(),
  }),
) satisfies z.ZodMiniType<RoleJson>
export const workspace = named(
  'WorkspaceJson',
  z.object({ id: z.string(), slug: z.string(), path: z.string(), added_at: time, added_by: z.string() }),
) satisfies z.ZodMiniType<WorkspaceJson>
export const configEntry = named(
  'ConfigEntryJson',
  z.object({
    key: z.string(),
    value: z.unknown(),
    text: z.string(),
    source: z.string(),
    about: z.string(),
  }),
) satisfies z.ZodMiniType<ConfigEntryJson>
export const trustFile = named(
  'TrustFileJson',
  z.object({
    file: z.string(),
    sha256: z.string(),
    approval: z.enum(['approved', 'changed', 'new']),
    allows: z.array(z.string()),
  }),
) satisfies z.ZodMiniType<TrustFileJson>

const auditEntry = named(
  'AuditEntryJson',
  z.object({
    at: time,
    kind: z.string(),
    session_id: orNull(z.string()),
    actor: z.string(),
    detail: z.string(),
  }),
) satisfies z.ZodMiniType<AuditEntryJson>
export const auditPage = named(
  'AuditPageJson',
  z.object({ entries: z.array(auditEntry), next: orNull(z.string()) }),
) satisfies z.ZodMiniType<AuditPageJson>

export const web = named(
  'WebJson',
  z.object({
    open: z.boolean(),
    host: orNull(z.string()),
    port: orNull(count),
    address: orNull(z.string()),
    remote: z.boolean(),
    trouble: orNull(z.string()),
  }),
) satisfies z.ZodMiniType<WebJson>
export const webLink = named(
  'WebLinkJson',
  z.object({ web, path: z.string(), expires_at: time }),
) satisfies z.ZodMiniType<WebLinkJson>
export const webToken = named(
  'WebTokenJson',
  z.object({
    name: z.string(),
    made_at: time,
    made_by: z.string(),
    expires_at: orNull(time),
    expired: z.boolean(),
  }),
) satisfies z.ZodMiniType<WebTokenJson>
export const tokenMade = named(
  'TokenMadeJson',
  z.object({ token: webToken, secret: z.string() }),
) satisfies z.ZodMiniType<TokenMadeJson>
