import * as z from 'zod/mini'
import type { Route } from '../../../protocol/api.ts'
import {
  answerSchema,
  archiveSchema,
  createTaskSchema,
  heartbeatSchema,
  inputSchema,
  keysSchema,
  killManySchema,
  killSchema,
  removeSchema,
  resultSchema,
  resumeSchema,
  retrySchema,
  verifySchema,
} from '../../requests/schemas.ts'
import type { Operations } from '../operation.ts'
import { stats } from '../shapes/daemon.ts'
import { count } from '../shapes/named.ts'
import * as orders from '../shapes/orders.ts'
import { lastRuns, unparked, why } from '../shapes/recovery.ts'
import { report } from '../shapes/report.ts'
import { taskDetail, taskList, taskRows } from '../shapes/task.ts'

const list = {
  status: { about: 'A status, a task status or a phase, in any case.' },
  tag: { about: 'Only sessions with this tag.' },
  project: { about: 'Only sessions of this project: an absolute path.' },
  agent: { about: 'Only sessions of this agent or role.' },
  parent: { about: 'Only sessions that this one started: its id, the beginning of it, or its name.' },
  archived: { about: '1: archived sessions instead.', words: ['0', '1'] },
  runtimes: { about: '1: the sessions of runtimes, too.', words: ['0', '1'] },
  ended_since: {
    about: 'Only sessions that ended since this time (ISO 8601). The one that ended last comes first.',
  },
  limit: { about: 'At most so many ended sessions; 50 when absent.' },
  after: { about: 'The `next` of the page before.' },
  totals: { about: '0: without totals.', words: ['0', '1'] },
}
const part = {
  from: { about: 'Begin at this byte.' },
  most: { about: 'End after so many bytes.' },
  follow: { about: '1: go on until the session has ended.', words: ['0', '1'] },
}
const last = { last: { about: 'Begin so many bytes before the end.' } }
const bulk = (result: z.ZodMiniType) =>
  z.object({ results: z.array(result), failures: z.array(orders.bulkFailure) })

type Tasks = Extract<Route, `${string} /api/tasks${string}`>

export const taskOperations: Operations<Tasks> = {
  'POST /api/tasks': {
    id: 'createTask',
    summary: 'Start a task.',
    status: 201,
    body: createTaskSchema,
    answer: orders.created,
  },
  'GET /api/tasks': { id: 'listTasks', summary: 'List sessions.', query: list, answer: taskList },
  'GET /api/tasks/rows': {
    id: 'listTaskRows',
    summary: 'List sessions, with the fields of a table only.',
    query: list,
    answer: taskRows,
  },
  'GET /api/tasks/active': {
    id: 'listActiveTasks',
    summary: 'List the sessions that have not ended.',
    query: list,
    answer: taskList,
  },
  'GET /api/tasks/stats': { id: 'countTasks', summary: 'Count tasks by their status.', answer: stats },
  'GET /api/tasks/:id': { id: 'getTask', summary: 'See one session.', answer: taskDetail },
  'DELETE /api/tasks/:id': {
    id: 'removeTask',
    summary: 'Remove an ended session and all its files.',
    answer: orders.removed,
  },
  'POST /api/tasks/removable': {
    id: 'countRemovable',
    summary: 'Count the sessions that would be removed.',
    body: removeSchema,
    answer: z.object({ count }),
  },
  'POST /api/tasks/remove': {
    id: 'removeTasks',
    summary: 'Remove many ended sessions.',
    body: removeSchema,
    lines: bulk(orders.removed),
  },
  'GET /api/tasks/:id/orders': {
    id: 'listOrders',
    summary: 'List the orders for a session, newest first.',
    answer: z.object({ orders: z.array(orders.order) }),
  },
  'POST /api/tasks/:id/kill': {
    id: 'killTask',
    summary: 'End a session. Answered when its processes are gone.',
    body: killSchema,
    answer: orders.killed,
  },
  'POST /api/tasks/:id/keys': {
    id: 'pressKeys',
    summary: 'Press single keys in the terminal of a session.',
    body: keysSchema,
    answer: orders.keysPressed,
  },
  'POST /api/tasks/:id/finish': {
    id: 'finishTask',
    summary: 'Complete a session when its turn is over.',
    answer: orders.finished,
  },
  'POST /api/tasks/:id/archive': {
    id: 'archiveTask',
    summary: 'Archive an ended session.',
    answer: orders.archived,
  },
  'POST /api/tasks/kill': {
    id: 'killTasks',
    summary: 'End many sessions.',
    body: killManySchema,
    lines: bulk(orders.killed),
  },
  'POST /api/tasks/archive': {
    id: 'archiveTasks',
    summary: 'Archive many sessions.',
    body: archiveSchema,
    lines: bulk(orders.archived),
  },
  'POST /api/tasks/:id/verify': {
    id: 'verifyTask',
    summary: 'Check the work of a session against its contract.',
    body: verifySchema,
    answer: orders.verified,
  },
  'POST /api/tasks/:id/answer': {
    id: 'answerQuestion',
    summary: 'Answer a question of an agent.',
    body: answerSchema,
    answer: orders.answered,
  },
  'POST /api/tasks/:id/inputs': {
    id: 'sendPrompt',
    summary: 'Send a prompt to a living agent.',
    body: inputSchema,
    answer: orders.sent,
  },
  'POST /api/tasks/:id/resume': {
    id: 'resumeTask',
    summary: 'Let a session go on where it left off.',
    body: resumeSchema,
    answer: taskDetail,
  },
  'POST /api/tasks/:id/retry': {
    id: 'retryTask',
    summary: 'Let a session start over.',
    body: retrySchema,
    answer: taskDetail,
  },
  'POST /api/tasks/:id/takeover': {
    id: 'takeTaskOver',
    summary: 'Take a headless session over in its terminal.',
    answer: taskDetail,
  },
  'POST /api/tasks/:id/handback': {
    id: 'handTaskBack',
    summary: 'Hand a session back that was taken over.',
    answer: taskDetail,
  },
  'POST /api/tasks/:id/unpark': {
    id: 'unparkTask',
    summary: 'Let a parked session go on.',
    answer: unparked,
  },
  'GET /api/tasks/:id/why': {
    id: 'explainTask',
    summary: 'What happened to a session, and why.',
    answer: why,
  },
  'GET /api/tasks/:id/runs': {
    id: 'getLastRuns',
    summary: 'The last runs of a session with their tool calls, oldest first.',
    query: { last: { about: 'How many runs, from 1 to 20; 1 when absent.' } },
    answer: lastRuns,
  },
  'GET /api/tasks/:id/screen': {
    id: 'getScreen',
    summary: 'The screen of a session.',
    answer: orders.screen,
  },
  'GET /api/tasks/:id/terminal': {
    id: 'getTerminal',
    summary: 'Whether a session has a live terminal, and its size.',
    more: 'As a WebSocket it is the terminal: binary messages are bytes of the screen, text messages JSON of the daemon, and what the client sends is typed if `typing` is 1.',
    query: { typing: { about: 'Type into the terminal. Only for people.', words: ['0', '1'] } },
    answer: orders.terminal,
  },
  'POST /api/tasks/:id/status-check': {
    id: 'checkStatus',
    summary: 'Check whether a session is alive.',
    answer: orders.statusCheck,
  },
  'POST /api/tasks/:id/heartbeat': {
    id: 'sendHeartbeat',
    summary: 'A run says that it is alive.',
    body: heartbeatSchema,
    answer: orders.heartbeat,
  },
  'GET /api/tasks/:id/changes': {
    id: 'getChanges',
    summary: 'What a session changed in its repository.',
    answer: orders.changes,
  },
  'GET /api/tasks/:id/diff': {
    id: 'getDiff',
    summary: 'The diff of one changed file.',
    query: { path: { about: 'As `changes` names it.' } },
    answer: orders.fileDiff,
  },
  'GET /api/tasks/:id/prompt': {
    id: 'getPrompt',
    summary: 'What a session was told at its start.',
    answer: orders.prompt,
  },
  'GET /api/tasks/:id/result': {
    id: 'getResult',
    summary: 'The result of a session.',
    answer: orders.result,
  },
  'POST /api/tasks/:id/result': {
    id: 'submitResult',
    summary: 'A run hands in its result.',
    body: resultSchema,
    answer: orders.resultSubmitted,
  },
  'GET /api/tasks/:id/output': {
    id: 'readOutput',
    summary: 'The readable output of a session.',
    query: {
      ...part,
      ...last,
      until: { about: 'idle: a stream ends when the turn is over.', words: ['idle', 'ended'] },
    },
    text: 'text/plain',
  },
  'GET /api/tasks/:id/raw': {
    id: 'readRawOutput',
    summary: 'What the agent wrote itself.',
    query: part,
    text: 'text/plain',
  },
  'GET /api/tasks/:id/session-log': {
    id: 'readSessionLog',
    summary: "The session's log.",
    query: { ...part, ...last },
    text: 'text/plain',
  },
  'GET /api/tasks/:id/events': {
    id: 'followTask',
    summary: 'The events of one session, until its last one.',
    query: {
      after: { about: 'Only events after this number.' },
      follow: { about: '0: only those that are there now.', words: ['0', '1'] },
    },
    text: 'text/event-stream',
  },
  'GET /api/tasks/:id/report': {
    id: 'getReport',
    summary: 'All that a colleague needs to know of a session, with secrets removed and long texts cut.',
    answer: report,
  },
}
