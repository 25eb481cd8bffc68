// Owns following a text that grows: each byte once, also when the daemon is restarted.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { homePaths } from '../../domain/names/home.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { TaskDetailJson } from '../../protocol/json/task-json.ts'
import type { DaemonClient } from '../wire/client.ts'
import { isConnectionError } from '../wire/daemon-error.ts'

export type TextRoute =
  | 'GET /api/tasks/:id/output'
  | 'GET /api/tasks/:id/raw'
  | 'GET /api/tasks/:id/session-log'

export type Following = {
  readonly home: string
  readonly daemon: () => DaemonClient
  readonly runningDaemon: () => DaemonClient
  readonly say: (line: string) => void
}

const LOOK_AGAIN_MS = 100

/** Until the session has ended, or already until its turn is over. */
export type Until = 'idle' | 'ended'

/** Writes the text until the task has ended or, with `idle`, its turn is over. Returns the task as it is then. */
export async function follow(
  context: Following,
  route: TextRoute,
  id: string,
  write: (bytes: Buffer) => Promise<void>,
  until: Until = 'ended',
): Promise<TaskDetailJson> {
  let offset = 0
  for (;;) {
    try {
      // Only the output can be followed until a turn is over; all logs can be until the end.
      const query = { from: String(offset), follow: '1', ...(until === 'idle' && { until }) }
      for await (const bytes of await context.daemon().stream(route, { id, query })) {
        offset += bytes.length
        await write(bytes)
      }
      const task = await context.runningDaemon().call('GET /api/tasks/:id', { id })
      if (isEnded(task.task_status) || (until === 'idle' && task.phase === 'idle')) return task
    } catch (error) {
      if (!isConnectionError(error)) throw error
    }
    await waitForDaemon(context)
  }
}

/** A daemon that died leaves its socket: the next request starts it again. One that was stopped removed it: we wait for it. */
export async function waitForDaemon(
  { home, say }: Pick<Following, 'home' | 'say'>,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { socket } = homePaths(home)
  await sleep(LOOK_AGAIN_MS)
  if (existsSync(socket)) return
  say(
    'The daemon was stopped; the session goes on. Waiting until the daemon is started again with `holdfast up`.',
  )
  while (!existsSync(socket) && performance.now() < deadline) await sleep(LOOK_AGAIN_MS)
}
