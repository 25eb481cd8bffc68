import * as z from 'zod/mini'
import { RUNTIME_STATUSES } from '../../../domain/runtime/machine.ts'
import type { Route } from '../../../protocol/api.ts'
import {
  continueThreadSchema,
  createThreadSchema,
  forceSchema,
  postMessageSchema,
  readThreadSchema,
  startRuntimeSchema,
} from '../../requests/schemas.ts'
import type { Operations } from '../operation.ts'
import * as orders from '../shapes/orders.ts'
import * as talk from '../shapes/talk.ts'

/** What agents are told, say to each other and ask in their own name, and the agents that stand by. */
export type AgentRoute = Extract<
  Route,
  `${string} /api/${'triggers' | 'threads' | 'runtimes' | 'self'}${string}`
>

const limit = { about: 'At most so many.' }
const after = { about: 'The `next` of the page before.' }

export const agentOperations: Operations<AgentRoute> = {
  'GET /api/triggers': {
    id: 'listTriggers',
    summary: 'List prompts that were sent, newest first.',
    query: {
      thread: { about: 'Only of this thread.' },
      to: { about: 'Only to this session.' },
      state: { about: 'Only in this state.' },
      limit: { about: 'At most so many; 100 when absent.' },
      after: { about: 'The `next` of the page before.' },
    },
    answer: talk.triggerList,
  },
  'GET /api/triggers/:id': {
    id: 'getTrigger',
    summary: 'See one prompt, or wait for it.',
    query: {
      until: { about: 'Wait until it is so far.', words: ['submitted', 'acknowledged'] },
      wait_seconds: { about: 'At most so long, up to 45.' },
    },
    answer: talk.triggerDetail,
  },
  'POST /api/triggers/:id/force': {
    id: 'forceTrigger',
    summary: 'Have a prompt typed although somebody typed there a moment ago.',
    body: forceSchema,
    answer: talk.triggerDetail,
  },
  'POST /api/triggers/:id/ack': {
    id: 'acknowledgeTrigger',
    summary: 'A run says that it has a prompt.',
    answer: talk.triggerDetail,
  },
  'GET /api/self': { id: 'getSelf', summary: 'Which run asks.', answer: orders.self },
  'POST /api/self/bridge': {
    id: 'reportBridge',
    summary: 'The tools of Holdfast reached the run that asks.',
    answer: orders.self,
  },
  'POST /api/threads': {
    id: 'createThread',
    summary: 'Open a thread.',
    status: 201,
    body: createThreadSchema,
    answer: talk.thread,
  },
  'GET /api/threads': {
    id: 'listThreads',
    summary: 'List threads, newest first.',
    query: {
      state: { about: 'Only in this state.', words: ['open', 'blocked'] },
      mine: { about: '1: only those that the caller is a member of.', words: ['1'] },
      unread: { about: '1: only those with messages for the caller.', words: ['1'] },
      after,
      limit,
    },
    answer: talk.threadList,
  },
  'GET /api/threads/:id': {
    id: 'getThread',
    summary: 'See a thread and its members.',
    answer: talk.threadDetail,
  },
  'GET /api/threads/:id/messages': {
    id: 'listMessages',
    summary: 'Messages of a thread, oldest first.',
    query: { after: { about: 'Only after this number.' }, limit },
    answer: talk.messageList,
  },
  'POST /api/threads/:id/messages': {
    id: 'postMessage',
    summary: 'Post a message.',
    body: postMessageSchema,
    answer: talk.posted,
  },
  'POST /api/threads/:id/read': {
    id: 'readMessages',
    summary: 'Read what the caller has not read yet.',
    body: readThreadSchema,
    answer: talk.unread,
  },
  'POST /api/threads/:id/continue': {
    id: 'continueThread',
    summary: 'Let a blocked thread go on.',
    body: continueThreadSchema,
    answer: talk.continued,
  },
  'GET /api/runtimes': {
    id: 'listRuntimes',
    summary: 'List standing agents.',
    query: {
      workspace: { about: 'Only those of this workspace: its id.' },
      role: { about: 'Only those with this role.' },
      status: { about: 'Only those with this status.', words: RUNTIME_STATUSES },
    },
    answer: z.object({ runtimes: z.array(talk.runtime) }),
  },
  'POST /api/runtimes': {
    id: 'startRuntime',
    summary: 'Start a standing agent. One that is up already stays as it is.',
    status: 201,
    body: startRuntimeSchema,
    answer: talk.runtimeStarted,
  },
  'GET /api/runtimes/:id': { id: 'getRuntime', summary: 'See a standing agent.', answer: talk.runtimeDetail },
  'POST /api/runtimes/:id/stop': {
    id: 'stopRuntime',
    summary: 'Stop a standing agent.',
    answer: talk.runtimeStopped,
  },
  'POST /api/runtimes/:id/restart': {
    id: 'restartRuntime',
    summary: 'Start a standing agent anew.',
    answer: z.object({ runtime: talk.runtime }),
  },
  'DELETE /api/runtimes/:id': {
    id: 'removeRuntime',
    summary: 'Stop and forget a standing agent.',
    answer: talk.runtimeRemoved,
  },
}
