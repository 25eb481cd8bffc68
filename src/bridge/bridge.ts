// Owns what agents and people may do with threads: one set of functions behind HTTP, the command line and MCP. Each takes the
// caller, who is known at the door.
import type { Caller } from '../domain/task/caller.ts'
import { listMessages, type PostAsk, postMessage, type ReadAsk, readMessages } from './messages.ts'
import {
  continueThread,
  createThread,
  type ListAsk,
  listThreads,
  showThread,
  type ThreadAsk,
  type ThreadsDesk,
} from './threads.ts'

export type { Unread } from './messages.ts'
export type { SeenThread, ThreadDetail } from './threads.ts'

export type Bridge = ReturnType<typeof openBridge>

export const openBridge = (desk: ThreadsDesk) => ({
  createThread: (caller: Caller, ask: ThreadAsk) => createThread(caller, ask, { desk }),
  listThreads: (caller: Caller, ask: ListAsk) => listThreads(caller, ask, { desk }),
  showThread: (caller: Caller, id: string) => showThread(caller, id, { desk }),
  /** A person or the orchestrator decides that agents may post again. */
  continueThread: (caller: Caller, ask: { readonly id: string; readonly why: string | null }) =>
    continueThread(caller, ask, { desk }),
  postMessage: (caller: Caller, ask: PostAsk) => postMessage(caller, ask, { desk }),
  listMessages: (ask: Parameters<typeof listMessages>[0]) => listMessages(ask, { desk }),
  readMessages: (caller: Caller, ask: ReadAsk) => readMessages(caller, ask, { desk }),
})
