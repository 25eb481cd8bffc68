// Owns what is asked for a row of a task at work: the end of its output or its screen, and its last tool calls. Only of
// rows that somebody sees.
import { type Doing, doesNow } from '../../words/does-now.ts'
import { screenLine } from '../../words/screen-line.ts'
import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'
import { useTail } from './output.ts'
import { useLastRuns } from './task.ts'

const LOOK_AGAIN_MS = 4000
const CALLS_AGAIN_MS = 20_000
const RUNS = 3

/** Undefined until it is known; null when nothing tells what it does. */
export function useDoesNow(id: string, mode: string, seen: boolean): Doing | null | undefined {
  const hasScreen = mode === 'interactive'
  const tail = useTail(id, seen && !hasScreen).value
  const screen = useResource(['task', id, 'screen'], () => call('GET /api/tasks/:id/screen', { id }), {
    every: LOOK_AGAIN_MS,
    enabled: seen && hasScreen,
  }).value
  if (!hasScreen) return tail && doesNow(tail.text)
  const line = screen && screenLine(screen.screen)
  return line === undefined || line === null ? line : { verb: '', text: line, isCode: true }
}

/** The last runs of a task with their tool calls: an agent that was just resumed did something before. */
export const useCalls = (id: string, seen: boolean) =>
  useLastRuns(id, RUNS, { every: CALLS_AGAIN_MS, enabled: seen }).value
