// The bridge on a core in memory, with agents at work that can call it.
import { openBridge } from '../../src/bridge/bridge.ts'
import type { Config } from '../../src/domain/settings/config.ts'
import type { Caller } from '../../src/domain/task/caller.ts'
import { openDesk } from '../../src/supervisor/desk.ts'
import type { CreateRequest } from '../../src/supervisor/starting/create-request.ts'
import { startCoreInTime } from '../helpers/core-in-time.ts'

export const ada: Caller = { kind: 'person', name: 'ada@pts/1' }
export const bob: Caller = { kind: 'person', name: 'bob' }

export async function startBridge(settings: Partial<Config> = {}) {
  const world = await startCoreInTime(settings)
  const stopping = new AbortController()
  const desk = openDesk(world.supervisor, stopping.signal)
  const bridge = openBridge(desk)
  return {
    ...world,
    desk,
    bridge,
    stopping,
    /** A task whose agent works, and that agent as a caller. */
    async agent(name: string, over: Partial<CreateRequest> = {}) {
      const id = await world.creates('work', { name, ...over })
      await world.agentStarts(id)
      const { runId } = await world.task(id)
      if (runId === null) throw new Error(`${id} has no run.`)
      return { id, runId, caller: { kind: 'run', run: runId, name: `run ${runId}` } satisfies Caller }
    },
    async thread(by: Caller = ada, key: string | null = null) {
      const ask = { title: 'the login page', workspace: undefined, members: [], key }
      return (await bridge.createThread(by, ask)).thread.id
    },
    post: (
      by: Caller,
      thread: string,
      text: string,
      more: { key?: string; kind?: 'finding' | 'result' } = {},
    ) =>
      bridge.postMessage(by, {
        thread,
        text,
        kind: more.kind ?? 'message',
        refs: [],
        key: more.key ?? null,
      }),
    read: (by: Caller, thread: string, more: { upTo?: number; waitMs?: number; most?: number } = {}) =>
      bridge.readMessages(by, {
        thread,
        upTo: more.upTo,
        waitMs: more.waitMs ?? 0,
        most: more.most ?? 50,
      }),
  }
}
