// Owns gathering what is known about a task's next step.
import type { AnswerWay } from '../../domain/conversation/answer-way.ts'
import { type NextStep, nextStep } from '../../domain/recovery/next-step.ts'
import { recoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { unanswered } from '../../domain/task/final-state.ts'
import { iso } from '../../domain/task/session-record.ts'
import type { Question, Task } from '../../domain/task/task.ts'
import type { Gate } from '../../ports/store-changes.ts'
import type { NextJson } from '../../protocol/task-json.ts'
import { answerWay } from '../../supervisor/orders/answer-way.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { orderIn } from '../../supervisor/task/finish-order.ts'
import { staysWhenIdle } from '../../supervisor/task/hearing.ts'
import { reasonForPatience } from '../../supervisor/task/open-work.ts'
import { silenceLimitMs } from '../../supervisor/watching/life.ts'
import type { Unsaid } from './kept.ts'
import { waitsForTmux } from './outage.ts'
import { closedBefore } from './wait.ts'

type Known = {
  readonly open: readonly Question[]
  readonly queuePosition: number | null
  readonly unsaid: Unsaid
}

export async function nextOf(task: Task, known: Known, core: Core): Promise<NextStep> {
  return nextStep({
    task,
    ...known,
    mostRetries: (task.snapshot.recovery ?? recoveryTerms(core.config)).retries,
    answerWay: await wayToAnswer(task, known.open, core),
    gate: await gateBefore(task, core),
    quietHours: core.config['park.quietHours'],
    isFinishing: staysWhenIdle(task) && orderIn(await core.store.inputs(task.id)) !== undefined,
    life: lifeOf(task, core),
    outage: waitsForTmux(task, core) ? core.terminal.outage() : null,
    now: core.clock.now(),
  })
}

export const nextJson = ({ at, ...step }: NextStep): NextJson => ({
  ...step,
  at: at === null ? null : iso(at),
})

/** What holds it back. */
export async function gateBefore(task: Task, { store }: Core): Promise<Gate | null> {
  return closedBefore(task, await store.gates()) ?? null
}

async function wayToAnswer(task: Task, open: readonly Question[], core: Core): Promise<AnswerWay> {
  const [first] = unanswered(open)
  return first === undefined ? 'at_once' : answerWay(task, first, core)
}

function lifeOf({ id }: Task, core: Core) {
  const watch = core.watched.get(id)
  if (watch === undefined || watch.life === null) return null
  const patience = reasonForPatience(watch.openWork)?.fact ?? null
  return { silentMs: watch.life.silentMs, limitMs: silenceLimitMs(watch, core), patience }
}
