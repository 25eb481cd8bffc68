// Owns the text about an outage of tmux, and what a person can do about it.
import type { TmuxOutageJson } from '../../../protocol/json/daemon-json.ts'
import { oneLine } from '../print/cells.ts'
import { elapsed } from '../print/time.ts'
import { localTime } from './next-text.ts'

const MOST_NAMED = 3

/** One block: what is wrong, which sessions wait, what comes next. */
export function outageLines(outage: TmuxOutageJson, now: number): string[] {
  const { why, since, waiting } = outage
  return [
    `tmux has not been usable for ${elapsed((now - Date.parse(since)) / 1000)}: ${oneLine(why)}`,
    ...(waiting.length === 0 ? [] : [`  ${waitingText(waiting)}`]),
    `  ${whatToDo(outage, now)}`,
  ]
}

function waitingText(waiting: readonly string[]): string {
  const named = waiting.slice(0, MOST_NAMED).join(', ')
  const more = waiting.length - MOST_NAMED
  const who = waiting.length === 1 ? '1 session waits' : `${waiting.length} sessions wait`
  return `${who} for a terminal: ${named}${more > 0 ? ` and ${more} more` : ''}`
}

function whatToDo({ state, pid, retry_at }: TmuxOutageJson, now: number): string {
  if (state === 'missing')
    return 'Install tmux 3.2 or newer. Holdfast looks for it again and again. To look now: holdfast up'
  if (state === 'hung')
    return pid === null
      ? 'Holdfast waits until tmux answers. To end tmux by hand, kill its process: sessions in it are resumed.'
      : `Holdfast waits until tmux answers. To end tmux by hand: kill -9 ${pid} (sessions in it are resumed)`
  if (retry_at === null) return 'Holdfast tries again and again. To try now: holdfast up'
  const left = elapsed(Math.max(0, Date.parse(retry_at) - now) / 1000)
  return `Holdfast tries again in ${left} (${localTime(retry_at, now)}). To try now: holdfast up`
}
