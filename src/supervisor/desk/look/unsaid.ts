// Owns what is known of the prompts that an agent was not told yet: how many there are, and why they are kept back.

import { hearsBy } from '../../../delivery/inputs/hearing.ts'
import { unsaidPrompts } from '../../../delivery/inputs/said.ts'
import type { KeptBack } from '../../../domain/conversation/kept-back.ts'
import type { Input } from '../../../domain/task/input.ts'
import type { Task } from '../../../domain/task/task.ts'
import { driverOf } from '../../../ports/run/driver-of.ts'
import type { Core } from '../../task/core.ts'

export type Unsaid = {
  readonly prompts: number
  /** `since`: epoch ms since when this reason holds; null when tmux does not work, because nobody measures it then. */
  readonly kept: (KeptBack & { readonly since: number | null }) | null
}

export function unsaidOf(
  task: Task,
  inputs: readonly Input[],
  core: Pick<Core, 'driver' | 'terminal' | 'watched'>,
): Unsaid {
  const prompts = unsaidPrompts(inputs).length
  return { prompts, kept: prompts === 0 ? null : keptOf(task, core) }
}

function keptOf(task: Task, core: Pick<Core, 'driver' | 'terminal' | 'watched'>): Unsaid['kept'] {
  const watch = core.watched.get(task.id)
  const hears = hearsBy(task, driverOf(task, core))
  if (watch === undefined || hears === 'nothing') return null
  const health = core.terminal.health()
  if (health === 'up') return watch.kept?.why ?? null
  if (hears === 'lines') return null
  return { kind: 'no_terminal', why: health === 'hung' ? 'tmux_hung' : 'tmux_down', since: null }
}
