import * as z from 'zod/mini'
import type { Route } from '../../../protocol/api.ts'
import {
  channelSchema,
  dropEventSchema,
  makeTokenSchema,
  monitorSchema,
  openWebSchema,
  trustSchema,
  verifyStepSchema,
  workspaceSchema,
} from '../../requests/schemas.ts'
import type { Operations } from '../operation.ts'
import * as daemon from '../shapes/daemon.ts'
import { journal } from '../shapes/journal.ts'
import { named, orNull } from '../shapes/named.ts'
import * as notify from '../shapes/notify.ts'
import * as orders from '../shapes/orders.ts'
import { monitorLook, openQuestion, parks } from '../shapes/recovery.ts'
import type { AgentRoute } from './agents.ts'

const dir = { dir: { about: 'A directory of the project: an absolute path.' } }
const limit = { about: 'At most so many.' }
const after = { about: 'The `next` of the page before.' }
const trusted = named('TrustJson', z.object({ project: z.string(), files: z.array(daemon.trustFile) }))

/** What belongs to no session and no agent alone: the daemon, its settings, who may reach it, and what people look at. */
type DaemonRoute = Exclude<Route, `${string} /api/tasks${string}` | AgentRoute>

export const daemonOperations: Operations<DaemonRoute> = {
  'GET /api/health': {
    id: 'getHealth',
    summary: 'How the daemon is, and what it has to do.',
    answer: daemon.health,
  },
  'GET /metrics': {
    id: 'getMetrics',
    summary: 'What the daemon measures, for Prometheus.',
    text: 'text/plain',
  },
  'GET /api/ready': {
    id: 'getReadiness',
    summary: 'Whether the daemon carries out what is asked of it; 503 when not.',
    answer: daemon.ready,
  },
  'GET /api/agents': {
    id: 'listAgents',
    summary: 'The agent kinds, and where their programs are.',
    answer: z.object({ agents: z.array(daemon.agentFound) }),
  },
  'GET /api/openapi.json': {
    id: 'getOpenApi',
    summary: 'This document.',
    answer: z.record(z.string(), z.unknown()),
  },
  'POST /api/tmux/try': { id: 'tryTmux', summary: 'Try to start tmux now.', answer: daemon.health },
  'POST /api/shutdown': {
    id: 'stopDaemon',
    summary: 'Stop the daemon. Agents go on.',
    answer: z.object({ stopping: z.literal(true) }),
  },
  'POST /api/verify-step': {
    id: 'verifyStep',
    summary: 'Check work in a directory against the contract of a step.',
    body: verifyStepSchema,
    answer: orders.stepVerified,
  },
  'GET /api/questions': {
    id: 'listQuestions',
    summary: 'The questions that nobody has answered, of all sessions.',
    query: { task: { about: 'Only those of this session.' } },
    answer: z.object({ questions: z.array(openQuestion), tmux: orNull(daemon.outage) }),
  },
  'GET /api/parks': { id: 'listParks', summary: 'What waits for a time or a limit.', answer: parks },
  'POST /api/parks/unpark': {
    id: 'unparkAll',
    summary: 'Open every gate.',
    lines: z.object({
      opened: z.array(z.string()),
      tasks: z.array(z.string()),
      failures: z.array(orders.bulkFailure),
    }),
  },
  'GET /api/events': {
    id: 'followEvents',
    summary: 'The events of all sessions, without end.',
    more: 'Server-sent events. `id` is the place in the journal: send it back as `Last-Event-ID` or `after`.',
    query: {
      after: { about: 'Go on behind this place.' },
      from: { about: 'Where to begin without a place; now when absent.', words: ['start', 'now'] },
      task: { about: 'Only of this session.' },
      kind: { about: 'Only of these kinds, separated by commas.' },
    },
    text: 'text/event-stream',
  },
  'POST /api/monitor': {
    id: 'monitor',
    summary: 'Wait for sessions.',
    body: monitorSchema,
    answer: monitorLook,
  },
  'GET /api/audit': {
    id: 'listAudit',
    summary: 'Who did what, newest first.',
    query: {
      since: { about: 'Only since this time (ISO 8601).' },
      task: { about: 'Only of this session.' },
      kind: { about: 'Only of this kind.' },
      limit: { about: 'At most so many; 100 when absent.' },
      after,
    },
    answer: daemon.auditPage,
  },
  'GET /api/web': { id: 'getWeb', summary: 'The TCP port of the page and this API.', answer: daemon.web },
  'POST /api/web': {
    id: 'openWeb',
    summary: 'Open the TCP port. Only on the unix socket.',
    body: openWebSchema,
    answer: daemon.web,
  },
  'DELETE /api/web': {
    id: 'closeWeb',
    summary: 'Close the TCP port. Only on the unix socket.',
    answer: z.object({ closed: z.boolean(), web: daemon.web }),
  },
  'POST /api/web/links': {
    id: 'makeLink',
    summary: 'Make a link that lets one browser in. Only on the unix socket.',
    answer: daemon.webLink,
  },
  'GET /api/web/tokens': {
    id: 'listTokens',
    summary: 'List the tokens for programs.',
    answer: z.object({ tokens: z.array(daemon.webToken) }),
  },
  'POST /api/web/tokens': {
    id: 'makeToken',
    summary: 'Make a token for a program. Only on the unix socket.',
    status: 201,
    body: makeTokenSchema,
    answer: daemon.tokenMade,
  },
  'DELETE /api/web/tokens/:id': {
    id: 'revokeToken',
    summary: 'Revoke a token, by its name. Only on the unix socket.',
    answer: z.object({ revoked: daemon.webToken }),
  },
  'GET /api/notify/channels': {
    id: 'listChannels',
    summary: 'List the channels by which people are told.',
    answer: notify.channels,
  },
  'GET /api/notify/log': {
    id: 'listNotices',
    summary: 'List what was told by channels, newest first.',
    query: { channel: { about: 'Only by this channel.' }, limit, after },
    answer: notify.noticeLog,
  },
  'POST /api/notify/test': {
    id: 'testChannel',
    summary: 'Send a test message by a channel.',
    body: channelSchema,
    answer: notify.tested,
  },
  'POST /api/notify/retry': {
    id: 'retryChannel',
    summary: 'Try again what was set aside for a channel.',
    body: channelSchema,
    answer: notify.channels,
  },
  'GET /api/journal': {
    id: 'showJournal',
    summary: 'The durable readers of the journal, and the events that they set aside.',
    answer: journal,
  },
  'POST /api/journal/retry': {
    id: 'retryEvents',
    summary: 'Try the events that were set aside once more.',
    answer: journal,
  },
  'POST /api/journal/drop': {
    id: 'dropEvent',
    summary: 'Give up an event that was set aside.',
    body: dropEventSchema,
    answer: journal,
  },
  'GET /api/roles': {
    id: 'listRoles',
    summary: 'The roles of a project.',
    query: dir,
    answer: z.object({ roles: z.array(daemon.role) }),
  },
  'GET /api/workspaces': {
    id: 'listWorkspaces',
    summary: 'The directories that agents may work in.',
    answer: z.object({ workspaces: z.array(daemon.workspace) }),
  },
  'POST /api/workspaces': {
    id: 'addWorkspace',
    summary: 'Allow a directory. Only on the unix socket. 201 when it is new.',
    body: workspaceSchema,
    answer: z.object({ workspace: daemon.workspace, added: z.boolean() }),
  },
  'DELETE /api/workspaces/:id': {
    id: 'removeWorkspace',
    summary: 'Stop allowing a directory.',
    answer: z.object({ removed: daemon.workspace }),
  },
  'GET /api/config': {
    id: 'getConfig',
    summary: 'Every setting, and where it comes from.',
    query: dir,
    answer: z.object({
      entries: z.array(daemon.configEntry),
      files: z.array(z.string()),
      notes: z.array(z.string()),
    }),
  },
  'GET /api/trust': {
    id: 'listTrust',
    summary: "A project's files that need a person's approval.",
    query: dir,
    answer: trusted,
  },
  'POST /api/trust': {
    id: 'approveFiles',
    summary: "Approve a project's files. Only on the unix socket.",
    body: trustSchema,
    answer: trusted,
  },
  'DELETE /api/trust': {
    id: 'revokeApproval',
    summary: 'Take back approvals.',
    query: { path: { about: 'A file, or a directory for all below it.' } },
    answer: z.object({ revoked: z.array(z.string()) }),
  },
}
