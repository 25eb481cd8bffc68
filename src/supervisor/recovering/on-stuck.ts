// Owns an agent without any sign of life: it is interrupted and resumed once; when that does not help, a person is asked.

import { moveTask } from '../../changes/move-task.ts'
import { durationText } from '../../domain/text/duration.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { GateReads } from '../../ports/store/gates.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core, Watch } from '../task/core.ts'
import type { StuckFinding } from '../watching/life.ts'
import type { RecoveringNeeds } from './needs.ts'
import { verdictChange } from './verdict-change.ts'

export async function onStuck(
  { watch, evidence, silentMs }: StuckFinding,
  core: RecoveringNeeds,
): Promise<void> {
  const { task } = watch
  if (core.watched.get(task.id) !== watch || task.phase === 'stuck' || task.restart !== null) return
  const silence = durationText(Math.round(silentMs / 1000) * 1000)
  const reason = `no sign of life for ${silence}`
  if (wasTried(watch)) await escalate(watch, reason, evidence, core)
  else await interrupt(watch, reason, evidence, core)
}

/** The agent was brought back before, and has made no progress since. */
const wasTried = ({ task, run }: Watch) => run.number > 1 && run.progress === 0 && task.retries > 0

async function interrupt(
  { task }: Watch,
  reason: string,
  evidence: StuckFinding['evidence'],
  core: Pick<Core, 'clock' | 'commit'>,
): Promise<void> {
  const at = core.clock.now()
  const order = {
    kind: 'stuck',
    by: 'holdfast',
    reason: `stuck: ${reason}`,
    at,
    goOn: null,
    mode: null,
  } as const
  const audit: AuditEntry = { at, kind: 'task_stuck', taskId: task.id, actor: 'holdfast', detail: reason }
  await core.commit({
    task: moveTask({ id: task.id, from: task.status, event: 'stuck_seen', reason, evidence, at }),
    restart: { id: task.id, order },
    audit,
  })
}

/** The process is left running: somebody may want to look at it. */
async function escalate(
  watch: Watch,
  reason: string,
  evidence: StuckFinding['evidence'],
  core: Pick<Core, 'clock' | 'commit' | 'ownTerms' | 'stagger'> & Reads<GateReads>,
): Promise<void> {
  const question = `The agent is still stuck (${reason}), after it was interrupted and resumed. Resume once more, or close?`
  const after = { kind: 'ask', event: 'escalated', question, options: ['resume', 'close'] } as const
  const verdict = { rule: 'stuck', after, reason: `stuck: ${reason}`, evidence }
  await core.commit(await verdictChange(watch, verdict, undefined, {}, core))
}
