// What the board asks and hears, with a real HTTP server in place of the daemon.
import type { ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { Feed } from '../../../src/cli/top/feed/feed.ts'
import { Refresh } from '../../../src/cli/top/feed/refresh.ts'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { serverClock } from '../../../src/cli/top/model/server-clock.ts'
import { monotonicMs } from '../../../src/cli/top/monotonic.ts'
import { DaemonClient } from '../../../src/cli/wire/client.ts'
import type { ListQuery } from '../../../src/protocol/api.ts'
import { aTaskJson } from '../../builders/task-json.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { type Asked, refuse, standInDaemon } from '../stand-in-daemon.ts'

const id = (path: string) => path.split('?')[0]!.split('/').at(-1)!

type Tasks = Record<string, Parameters<typeof aTaskJson>[0]>

/** A board's ear and its questions, with sessions that the test changes, and events that it tells. */
export async function listening(tasks: Tasks, query: ListQuery = {}) {
  const streams: ServerResponse[] = []
  const hands = { unanswered: /^$/, hasTimeJumped: false }
  const one = (session_id: string) => aTaskJson({ ...tasks[session_id], session_id })
  const questions: object[] = []
  const totals = { total: 2, created: 0, running: 2, asking: 0, completed: 0, failed: 0, killed: 0 }
  const routes: Parameters<typeof standInDaemon>[0] = {
    'GET /api/tasks/rows': () => ({ rows: Object.keys(tasks).map(one), totals, next: null }),
    'GET /api/questions': () => ({ questions, tmux: null }),
    'GET /api/health': () => ({ tmux_outage: null }),
    'GET /api/events': (_: Asked, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.push(response)
    },
  }
  const answer = ({ path }: Asked, response: ServerResponse) =>
    id(path) in tasks ? one(id(path)) : refuse(response, 'TASK_NOT_FOUND', 404)
  for (const name of ['a', 'b', 'new', 'gone', ...Array.from({ length: 30 }, (_, n) => `t${n}`)])
    routes[`GET /api/tasks/${name}`] = answer
  for (const [name, answered] of Object.entries(routes))
    routes[name] = (asked, response) =>
      hands.unanswered.test(name) ? refuse(response, 'STORE_UNREACHABLE', 503) : answered(asked, response)
  const daemon = await standInDaemon(routes)
  const client = () => new DaemonClient({ home: daemon.home, socket: daemon.socket, headers: {} })
  const model = new BoardModel()
  const clock = serverClock(Date.now, monotonicMs)
  const heard: string[] = []
  const refresh = new Refresh({
    daemon: client,
    model,
    clock,
    query,
    onAnswer: () => feed.hearAnswer(),
    onTrouble: (error) => feed.hearTrouble(error),
  })
  const feed: Feed = new Feed({
    socket: daemon.socket,
    daemon: client,
    runningDaemon: client,
    refresh,
    clock,
    onChange: () => {},
    onEvent: ({ kind }) => void heard.push(kind),
    isWatched: () => false,
    hasTimeJumped: () => hands.hasTimeJumped,
  })
  onTestFinished(() => {
    feed.stop()
    refresh.stop()
  })
  const tell = (kind: string, data: object) =>
    streams
      .at(-1)!
      .write(`id: x\nevent: ${kind}\ndata: ${JSON.stringify({ seq: 1, at: Date.now(), ...data })}\n\n`)
  const count = (path: string) => daemon.asked.filter((asked) => asked.path.split('?')[0] === path).length
  await refresh.list(false)
  feed.start()
  await waitFor(
    'the stream, and the list after it',
    () => feed.link.kind === 'live' && count('/api/tasks/rows') === 2,
  )
  await waitFor('its questions', () => count('/api/questions') === 1)
  return { daemon, model, clock, feed, refresh, streams, tell, count, heard, tasks, totals, questions, hands }
}
