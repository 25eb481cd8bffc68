// Owns noticing a person at the pane of a runtime: who came, what they said to its agent, and when they stopped typing. Each
// of these is stored as soon as it is seen, so that a daemon that dies in between leaves only the rest to the next one.
import { tellsWhatItHears } from '../../delivery/inputs/hearing.ts'
import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { AuditKind } from '../../domain/names/audit-kinds.ts'
import { printable } from '../../domain/names/names.ts'
import { newPrompts, operatorVisit } from '../../domain/runtime/operator-visit.ts'
import { isShown } from '../../domain/text/drawn-text.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { PaneView, Typist } from '../../ports/run/terminal.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { RuntimesNeeds } from './needs.ts'
import type { Seen } from './sight-of.ts'

const LONGEST_SAID = 2000
/** More than anybody says in one go, and more than a screen shows. */
const MOST_ROWS = 200

export async function noteOperator(seen: Seen, core: RuntimesNeeds): Promise<void> {
  const wasBusy = seen.runtime.operatorBusy === 1
  // The terminal is asked only when somebody is attached to the session, or was typing there at the last look.
  if (!seen.pane?.attached && !wasBusy) return
  const view = await viewOf(seen, core)
  const isBusy = seen.pane?.attached === true && isTyping(view, core)
  if (!isBusy && !wasBusy) return
  const { id, agentId, taskId } = seen.runtime
  const at = core.clock.now()
  await noteWhoCame(seen, view, at, core)
  for (const said of view === undefined ? [] : await newlySaid(view, seen, core))
    await core.commit({ audit: auditOf('operator_prompted', seen, said, at) })
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

/** Notes each person once in a visit, also one who comes while another is there. */
async function noteWhoCame(
  seen: Seen,
  view: PaneView | undefined,
  at: number,
  core: RuntimesNeeds,
): Promise<void> {
  const { id, taskId, operatorBusy } = seen.runtime
  const typing = (view?.typists ?? []).filter(({ keyAgeMs }) => keyAgeMs < core.config['quiet.window'])
  const known =
    operatorBusy === 1 ? operatorVisit(await core.store.audits({ taskId, limit: MOST_ROWS })).who : []
  for (const typist of typing) {
    const detail = whoIs(typist)
    if (known.includes(detail)) continue
    await core.commit({
      noteRuntime: { id, set: { operatorBusy: 1 } },
      audit: { ...auditOf('operator_came', seen, detail, at), actor: nameOf(typist) },
    })
  }
}

const nameOf = ({ user }: Typist) => (user === null ? 'person' : printable(user, 60))

const whoIs = (typist: Typist) =>
  `${nameOf(typist)} at ${printable(typist.tty, 100)}, attached since ${new Date(typist.attachedAt).toISOString().replace('.000Z', 'Z')}`

/**
 * The prompts on the agent's screen that Holdfast did not type and that were not noted before. For an agent that reports
 * what it hears, the screen is not needed: its reports are noted when they are read.
 */
async function newlySaid(view: PaneView, { task }: Seen, core: RuntimesNeeds): Promise<readonly string[]> {
  const driver = task && driverOf(task, core)
  if (task === undefined || driver?.keys === undefined || tellsWhatItHears(task, driver)) return []
  const inputs = await core.store.inputs(task.id)
  const ours = inputs.filter(({ saidAt }) => saidAt !== null).map(wordsOf)
  const shown = driver.keys.prompts(view.text).map((text) => text.trim())
  const theirs = shown.filter((text) => text !== '' && !ours.some((words) => isShown(text, words)))
  if (theirs.length === 0) return []
  const before = await core.store.audits({ taskId: task.id, kind: 'operator_prompted', limit: MOST_ROWS })
  return newPrompts(
    theirs.map((text) => redactSecrets(text).slice(0, LONGEST_SAID)),
    before.map(({ detail }) => detail).reverse(),
  )
}

const auditOf = (kind: AuditKind, { runtime }: Seen, detail: string, at: number): AuditEntry => ({
  at,
  kind,
  taskId: runtime.taskId,
  actor: 'person',
  detail,
})
