// The core flow, once, for one task: observe → decide → record → act.

import { isFinishDue } from '../delivery/inputs/finish-order.ts'
import { sayByLines } from '../delivery/lines/say-by-lines.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { termsOf } from '../domain/settings/task-terms.ts'
import { driverOf } from '../ports/run/driver-of.ts'
import { actOnDecision } from './act-on-decision.ts'
import type { SupervisingNeeds } from './needs.ts'
import { answerByPolicy } from './orders/answer-by-policy.ts'
import { readRun } from './reading/read-run.ts'
import { copyTranscript } from './task/copy-transcript.ts'
import type { Watch } from './task/core.ts'
import { endsRun } from './task/end-run.ts'
import { decide, hasEnded, type Observation } from './watching/decide.ts'
import { staysWithoutSession } from './watching/lost-session.ts'
import { endOf, observe } from './watching/observe.ts'
import { isLeftAlone, isQuarantined } from './watching/quarantine.ts'

/**
 * The run is observed before it is read: once its end was seen, all that it said is on disk and gets read.
 * A launching run that lives is adopted before it is read: what it says changes a task that is at work.
 */
export async function superviseOnce(id: TaskId, core: SupervisingNeeds): Promise<void> {
  const watch = core.watched.get(id)
  if (watch === undefined || isLeftAlone(watch)) return
  const leave = core.handling.enter(watch.run.id)
  try {
    await handle(watch, core)
  } finally {
    leave()
  }
}

async function handle(watch: Watch, core: SupervisingNeeds): Promise<void> {
  const seen = await observe(watch, core)
  const ended = hasEnded(seen)
  if (!isQuarantined(watch.run) && (watch.run.state === 'live' || ended)) {
    if (ended) await copyTranscript(watch, driverOf(watch.task, core), core)
    await readRun(watch, ended ? knownEnd(watch, seen, core) : null, core)
  }
  const decision = decide(watch.task, watch.run, seen, {
    launchGraceMs: core.config['launch.grace'],
    budget: termsOf(watch.task, core),
    isWithoutSession: staysWithoutSession(watch.task, watch.run, driverOf(watch.task, core)),
    isFinishDue: await isFinishDue(watch, core),
  })
  await actOnDecision(decision, watch, seen, core)
  const isAlive = decision.kind === 'leave_alone'
  // The agent may have asked and ended between two looks.
  if (isAlive || decision.kind === 'harvest') await answerByPolicy(watch, core)
  if (isAlive) await sayByLines(watch, endsRun(watch, core), core)
}

/** When it ended, as far as this daemon can have heard it: what was said while no daemon ran is heard now. */
function knownEnd({ run, sinceMono }: Watch, { exit }: Observation, { clock }: SupervisingNeeds): number {
  const now = clock.now()
  const watchedSince = Math.round(now - (clock.monotonic() - sinceMono))
  return Math.min(now, Math.max(watchedSince, endOf(run, exit, now)))
}
