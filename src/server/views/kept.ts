// Owns what is known of the prompts that an agent was not told yet: how many, and what keeps them.
import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import { keptText } from '../../domain/conversation/kept-back-text.ts'
import { iso } from '../../domain/task/session-record.ts'
import type { Input, Task } from '../../domain/task/task.ts'
import type { KeptBackJson } from '../../protocol/task-json.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { driverOf } from '../../supervisor/task/driver-of.ts'
import { hearsBy } from '../../supervisor/task/hearing.ts'
import { unsaidPrompts } from '../../supervisor/task/said.ts'

export type Unsaid = {
  readonly prompts: number
  /** `since` is null where nobody counts: no screen can be looked at. */
  readonly kept: (KeptBack & { readonly since: number | null }) | null
}

export function unsaidOf(task: Task, inputs: readonly Input[], core: Core): Unsaid {
  const prompts = unsaidPrompts(inputs).length
  return { prompts, kept: prompts === 0 ? null : keptOf(task, core) }
}

function keptOf(task: Task, core: Core): Unsaid['kept'] {
  const watch = core.watched.get(task.id)
  if (watch === undefined || hearsBy(task, driverOf(task, core)) !== 'keys') return null
  const health = core.terminal.health()
  if (health === 'up') return watch.kept?.why ?? null
  return { kind: 'no_terminal', why: health === 'hung' ? 'tmux_hung' : 'tmux_down', since: null }
}

export const keptJson = ({ prompts, kept }: Unsaid, now: number): KeptBackJson | null =>
  kept === null
    ? null
    : {
        reason: kept.kind,
        what: keptText(kept, now),
        prompts,
        since: kept.since === null ? null : iso(kept.since),
      }
