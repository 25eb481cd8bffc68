// Owns a turn that failed while its run lives on: the recovery table decides, and the agent is told to go on when the
// wait is over.

import type { FailureClass } from '../../domain/run/failure-class.ts'
import { termsOf } from '../../domain/settings/task-terms.ts'
import { saw } from '../../domain/task/evidence.ts'
import { CONTINUATION_AFTER_FAILURE, CONTINUATION_AFTER_LIMIT } from '../../domain/task/go-on.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Watch } from '../task/core.ts'
import { workedSoFar } from '../watching/observe.ts'
import { failuresAsCanary } from './canary.ts'
import { type After, decideEnd, type EndFacts } from './decide-end.ts'
import type { RecoveringNeeds } from './needs.ts'
import { verdictChange } from './verdict-change.ts'

export type FailedTurn = {
  readonly failure: FailureClass
  readonly words: string
  /** Epoch ms of the limit's end; null when no time is known. */
  readonly limitedUntil: number | null
  /** True when the agent itself reported the failure, false when it was read from the screen. */
  readonly isTold: boolean
}

/** Undefined when nothing follows: the agent stays idle, for a person. */
export async function failedTurn(
  watch: Watch,
  failed: FailedTurn,
  core: RecoveringNeeds,
): Promise<Change | undefined> {
  const facts = await factsOf(watch, failed, core)
  const verdict = decideEnd(facts)
  const after = whileItLives(verdict.after)
  if (after === undefined) return undefined
  return verdictChange(watch, { ...verdict, after }, facts, {}, core)
}

/** The run lives on, so a new turn takes the place of a new run. It begins when the pause is over. */
function whileItLives(after: After): After | undefined {
  if (after.kind === 'end' || after.kind === 'verify') return undefined
  return after.kind === 'go_on' ? { kind: 'back_off', goOn: after.goOn, waitMs: 0 } : after
}

async function factsOf(watch: Watch, failed: FailedTurn, core: RecoveringNeeds): Promise<EndFacts> {
  const { task, run } = watch
  const { failure, words, limitedUntil, isTold } = failed
  const { config, clock } = core
  return {
    stop: null,
    restart: null,
    finishBy: null,
    mode: task.mode,
    result: { ok: false, text: words },
    mustVerify: false,
    untoldChildren: 0,
    ending: words,
    evidence: [saw(isTold ? 'agent' : 'screen', `failure: ${failure}`)],
    failure,
    limitedUntil,
    limitIsTold: isTold,
    asks: null,
    exitedByItself: false,
    byPerson: null,
    outsideCause: null,
    session: 'known',
    sessionIsLost: false,
    goOn: { how: 'resume', say: failure === 'limit' ? CONTINUATION_AFTER_LIMIT : CONTINUATION_AFTER_FAILURE },
    runtime: null,
    retries: run.progress > 0 ? 0 : task.retries,
    deaths: 0,
    likeFailures: 0,
    breakerFailures: config['breaker.failures'],
    endedAt: clock.now(),
    failuresAsCanary: await failuresAsCanary(task, run, core),
    othersMakeProgress: false,
    workedMs: workedSoFar(watch, core),
    terms: termsOf(task, core),
    parkEnabled: config['park.enabled'],
    now: clock.now(),
    jitter: core.ids.chance(),
  }
}
