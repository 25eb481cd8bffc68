import { call } from './call.ts'
import { useResource } from './resource.ts'

/** The first page, newest first. */
export const useThreads = () =>
  useResource(['threads', 'list'], () => call('GET /api/threads', { query: {} }))

export const useThread = (id: string) =>
  useResource(['threads', id], () => call('GET /api/threads/:id', { id }))

export const useMessages = (id: string, limit: number) =>
  useResource(['threads', id, 'messages', limit], () =>
    call('GET /api/threads/:id/messages', { id, query: { limit: String(limit) } }),
  )
