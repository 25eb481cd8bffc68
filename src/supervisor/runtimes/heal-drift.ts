// Owns what is done where the registry and tmux do not agree about a runtime. Each is told once for each time, and counted.
import { printable } from '../../domain/names/names.ts'
import { DRIFT_WORDS, whereInstead } from '../../domain/runtime/drift.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { RuntimesNeeds } from './needs.ts'
import type { Seen } from './sight-of.ts'

/** What was lost is brought back as any run is, by the look that follows. */
export async function noteDrift(runtime: Runtime, what: string, core: RuntimesNeeds): Promise<void> {
  const { id, drifts } = runtime
  await core.commit({ noteRuntime: { id, set: { drifts: drifts + 1 } }, ...told(runtime, what, core) })
  core.log.warn('a runtime is not where the registry has it', { runtime: runtime.agentId, what })
}

/** A pane that a person moved works on, found by its mark; but people and scripts look for it where the registry says. */
export async function putInPlace({ runtime, pane }: Seen, core: RuntimesNeeds): Promise<void> {
  const place = { session: runtime.tmuxSession, window: runtime.tmuxWindow }
  if (pane === null || pane === undefined || pane.dead) return
  const instead = whereInstead(pane, place)
  if (instead === null) return
  const what = `${DRIFT_WORDS.pane_misplaced}, but ${printable(instead, 100)}`
  if (await core.terminal.putInPlace(pane, place)) return noteDrift(runtime, `${what}: it was put back`, core)
  await noteOnce(runtime, `${what}, and something else has its place: it works on where it is`, core)
}

/** It is seen at every look, until a person makes room. */
async function noteOnce(runtime: Runtime, what: string, core: RuntimesNeeds): Promise<void> {
  const filter = { taskId: runtime.taskId, kind: 'registry_drift', limit: 1 } as const
  const [last] = await core.store.audits(filter)
  if (last?.detail !== detailOf(runtime, what)) await noteDrift(runtime, what, core)
}

const detailOf = ({ agentId }: Runtime, what: string) => `${agentId}: ${what}`

/** Only somebody who edits the store can bring this about: nothing of the runtime is left to go on with. */
export async function forget(runtime: Runtime, core: RuntimesNeeds): Promise<void> {
  const dropRuntime = { id: runtime.id, at: core.clock.now() }
  await core.commit({ dropRuntime, ...told(runtime, DRIFT_WORDS.task_gone, core) })
}

function told(
  runtime: Runtime,
  what: string,
  { clock }: Pick<RuntimesNeeds, 'clock'>,
): Pick<Change, 'event' | 'audit'> {
  const { id, agentId, taskId } = runtime
  const at = clock.now()
  return {
    event: { at, kind: 'registry_drift', taskId, data: { runtime_id: id, agent_id: agentId, what } },
    audit: { at, kind: 'registry_drift', taskId, actor: 'holdfast', detail: detailOf(runtime, what) },
  }
}
