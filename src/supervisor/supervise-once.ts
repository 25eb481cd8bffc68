// The core flow, once, for one task: observe → decide → record → act.
import type { TaskId } from '../domain/ids.ts'
import { recoveryTerms } from '../domain/recovery-terms.ts'
import { answerByPolicy } from './answer-by-policy.ts'
import { carryOut } from './carry-out.ts'
import type { Core, Watch } from './core.ts'
import { decide, hasEnded } from './decide.ts'
import { driverOf } from './driver-of.ts'
import { staysWithoutSession } from './lost-session.ts'
import { observe } from './observe.ts'
import { isLeftAlone, isQuarantined } from './quarantine.ts'
import { readRun } from './read-run.ts'
import { speak } from './speak.ts'

/**
 * Looking comes before reading: what was said before an end that we saw is then all on disk, and read.
 * A run that is only launching is adopted first: its words are effects on a task that works.
 */
export async function superviseOnce(id: TaskId, core: Core): Promise<void> {
  const watch = core.watched.get(id)
  if (watch === undefined || isLeftAlone(watch)) return
  const leave = core.handling.enter(watch.run.id)
  try {
    await handle(watch, core)
  } finally {
    leave()
  }
}

async function handle(watch: Watch, core: Core): Promise<void> {
  const seen = await observe(watch, core)
  const ended = hasEnded(seen)
  if (!isQuarantined(watch.run) && (watch.run.state === 'live' || ended)) await readRun(watch, ended, core)
  const decision = decide(watch.task, watch.run, seen, {
    launchGraceMs: core.config['launch.grace'],
    budget: watch.task.snapshot.recovery ?? recoveryTerms(core.config),
    isWithoutSession: staysWithoutSession(watch.task, watch.run, driverOf(watch.task, core)),
  })
  await carryOut(decision, watch, seen, core)
  if (decision.kind !== 'leave_alone') return
  await answerByPolicy(watch, core)
  await speak(watch, core)
}
