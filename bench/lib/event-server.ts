// A daemon without agents: the store, the journal and the route that streams it. It commits events when it is told to.
import { Hono } from 'hono'
import { listen } from '../../src/daemon/listen.ts'
import { asNodeId, asRunId, asTaskId } from '../../src/domain/names/ids.ts'
import { journalRoutes } from '../../src/server/routes/journal.ts'
import { openStore } from '../../src/store/open-store.ts'
import { journalDesk } from '../../src/supervisor/desk/journal.ts'
import { waitingDesk } from '../../src/supervisor/desk/waiting.ts'
import { Journal } from '../../src/supervisor/kernel/journal.ts'
import { Waiters } from '../../src/supervisor/kernel/waiters.ts'
import { findTask } from '../../src/supervisor/task/find-task.ts'
import { systemClock as clock } from '../../src/system/clock.ts'

export type ServeAsk = { readonly database: string; readonly socket: string; readonly nodeId: string }
/** `perSecond` events, for so many seconds, for one of the tasks after the other. */
export type CommitAsk = {
  readonly perSecond: number
  readonly seconds: number
  readonly tasks: readonly string[]
}

/** Sends `ready`, and after every order how many it has committed. */
export async function serveEvents({ database, socket, nodeId }: ServeAsk): Promise<void> {
  const node = { id: asNodeId(nodeId), host: 'bench', pid: process.pid, version: '0' }
  const store = await openStore({ path: database, node, clock })
  const waiters = new Waiters()
  const journal = new Journal({ store, follow: async () => {}, onError: (_, error) => raise(error) })
  journal.listen(waiters)
  const desk = {
    journal: journalDesk({ store, clock }),
    wait: waitingDesk({ waiters, clock }),
    tasks: { find: (text: string) => findTask(store, text) },
  }
  const context = { desk, clock, stopping: new AbortController().signal }
  await listen(new Hono().route('/api', journalRoutes(context as never)), socket)
  process.on(
    'message',
    (ask: CommitAsk) => void commitAll(ask, journal).then((done) => process.send?.({ done })),
  )
  process.send?.({ ready: true })
}

const EVERY_MS = 10

async function commitAll({ perSecond, seconds, tasks }: CommitAsk, journal: Journal): Promise<number> {
  const all = perSecond * seconds
  const begun = performance.now()
  for (let done = 0; done < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - begun) / 1000) * perSecond))
    const now: Promise<unknown>[] = []
    for (; done < due; done++) now.push(journal.commitSoon({ event: eventOf(done, tasks) }))
    await Promise.all(now)
    await clock.sleep(EVERY_MS)
  }
  return all
}

const eventOf = (number: number, tasks: readonly string[]) => ({
  at: clock.now(),
  kind: 'input_heard' as const,
  taskId: asTaskId(tasks[number % tasks.length]!),
  data: { number, run_id: asRunId('00000000-0000-7000-8000-000000000000') },
})

const raise = (error: unknown): never => {
  throw error
}
