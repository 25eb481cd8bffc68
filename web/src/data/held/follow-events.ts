// Owns which resources an event of the journal changes.
import type { QueryKey } from '@tanstack/react-query'
import { type LiveEvent, listen, live } from '../connection/live.ts'
import { refresh } from './resource.ts'

/** Events come in bursts; a resource is asked for at once, and then at most this often. */
const PAUSE_MS = 300

const waiting = new Map<string, { key: QueryKey; again: boolean }>()

/** From now on the resources on screen follow the journal, of which `hear` tells. */
export function followEvents(hear = listen): void {
  hear({
    event: (event) => {
      for (const key of keysOf(event)) refreshSoon(key)
    },
    missed: () => refresh([]),
  })
  // Whether the daemon is away or cannot read its store is not told by a stream that ended.
  live.subscribe(() => live.get().state === 'cut_off' && refresh(['health']))
}

function refreshSoon(key: QueryKey): void {
  const name = JSON.stringify(key)
  const under = waiting.get(name)
  if (under !== undefined) {
    under.again = true
    return
  }
  refresh(key)
  waiting.set(name, { key, again: false })
  setTimeout(() => {
    const again = waiting.get(name)?.again ?? false
    waiting.delete(name)
    if (again) refreshSoon(key)
  }, PAUSE_MS)
}

/** The first words of the keys in data/: a task's own resources are below `['task', id]`. */
function keysOf({ kind, task }: LiveEvent): QueryKey[] {
  const keys: QueryKey[] = [['audit']]
  if (task !== null) keys.push(['task', task], ['tasks'])
  if (task !== null || kind.startsWith('server_') || kind.startsWith('quota_')) keys.push(['health'])
  // Those who wait for tmux are told there, too.
  if (task !== null || kind.startsWith('server_')) keys.push(['questions'])
  // What tmux does changes what its tasks show, and has no event for each of them.
  if (kind.startsWith('server_')) keys.push(['tasks'], ['task'])
  if (/^(gate_|task_|server_)/.test(kind)) keys.push(['parks'])
  if (/^(runtime_|operator_|registry_|task_)/.test(kind)) keys.push(['runtimes'])
  if (kind.startsWith('trigger_')) keys.push(['triggers'])
  if (/^(event_set_aside|subscriber_missed_events|pruning_held)$/.test(kind)) keys.push(['journal'])
  if (/^(thread_|message_|cursor_)/.test(kind)) keys.push(['threads'])
  return keys
}
