// Owns that a person at the pane of a runtime is noticed: that they came, what they said to its agent, and that they have left
// its keys alone. Each is stored when it is seen, so that a daemon which dies meanwhile leaves the rest to the next one.
import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { AuditKind } from '../../domain/names/audit-kinds.ts'
import { isShown } from '../../domain/text/drawn-text.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { PaneView } from '../../ports/run/terminal.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { RuntimesNeeds } from './needs.ts'
import type { Seen } from './sight-of.ts'

const LONGEST_SAID = 2000

export async function noteOperator(seen: Seen, core: RuntimesNeeds): Promise<void> {
  const wasBusy = seen.runtime.operatorBusy === 1
  // Asked only where somebody has its session in front of them, or had.
  if (!seen.pane?.attached && !wasBusy) return
  const view = await viewOf(seen, core)
  const isBusy = seen.pane?.attached === true && isTyping(view, core)
  if (!isBusy && !wasBusy) return
  const { id, agentId, taskId } = seen.runtime
  const at = core.clock.now()
  if (!wasBusy)
    await core.commit({
      noteRuntime: { id, set: { operatorBusy: 1 } },
      audit: auditOf('operator_came', seen, agentId, at),
    })
  const said = view === undefined ? null : await newlySaid(view, seen, core)
  if (said !== null) await core.commit({ audit: auditOf('operator_prompted', seen, said, at) })
  if (!isBusy)
    await core.commit({
      noteRuntime: { id, set: { operatorBusy: 0 } },
      event: { at, kind: 'operator_left', taskId, data: { runtime_id: id, agent_id: agentId } },
      audit: auditOf('operator_left', seen, agentId, at),
    })
}

async function viewOf({ runtime, watch }: Seen, core: RuntimesNeeds): Promise<PaneView | undefined> {
  if (watch === undefined) return undefined
  return await core.terminal.look(runtime.taskId, watch.run.id).catch(() => undefined)
}

const isTyping = (view: PaneView | undefined, { config }: Pick<RuntimesNeeds, 'config'>) =>
  view !== undefined && view.keyAgeMs !== null && view.keyAgeMs < config['quiet.window']

/** The last prompt on its screen, where it is none of ours and was not noted before. */
async function newlySaid(view: PaneView, { task }: Seen, core: RuntimesNeeds): Promise<string | null> {
  const keys = task && driverOf(task, core).keys
  const shown = keys?.lastPrompt(view.text)?.trim()
  if (task === undefined || !shown) return null
  const inputs = await core.store.inputs(task.id)
  if (inputs.some((input) => input.saidAt !== null && isShown(shown, wordsOf(input)))) return null
  const said = redactSecrets(shown).slice(0, LONGEST_SAID)
  const [before] = await core.store.audits({ taskId: task.id, kind: 'operator_prompted', limit: 1 })
  return before?.detail === said ? null : said
}

const auditOf = (kind: AuditKind, { runtime }: Seen, detail: string, at: number): AuditEntry => ({
  at,
  kind,
  taskId: runtime.taskId,
  actor: 'person',
  detail,
})
