// Owns gathering what is known about a task's next step.

import { finishOrderIn } from '../../../delivery/inputs/finish-order.ts'
import type { AnswerWay } from '../../../domain/conversation/answer-way.ts'
import type { NextStep } from '../../../domain/recovery/next-facts.ts'
import { nextStep } from '../../../domain/recovery/next-step.ts'
import { termsOf } from '../../../domain/settings/task-terms.ts'
import type { Elsewhere } from '../../../domain/task/elsewhere.ts'
import { unanswered } from '../../../domain/task/final-state.ts'
import type { Input } from '../../../domain/task/input.ts'
import type { Question } from '../../../domain/task/question.ts'
import { staysWhenIdle } from '../../../domain/task/stays-when-idle.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { ConversationReads } from '../../../ports/store/conversation.ts'
import type { Gate, GateReads } from '../../../ports/store/gates.ts'
import type { RunReads } from '../../../ports/store/runs.ts'
import type { Reads } from '../../../ports/store/store.ts'
import { answerWay } from '../../orders/answer-way.ts'
import type { Core } from '../../task/core.ts'
import { elsewhereOf } from '../../task/elsewhere.ts'
import { reasonForPatience } from '../../task/open-work.ts'
import { silenceLimitMs } from '../../watching/life.ts'
import type { DeskNeeds } from '../needs.ts'
import { waitsForTmux } from './outage.ts'
import { type Unsaid, unsaidOf } from './unsaid.ts'
import { closedBefore } from './waits.ts'

/** What comes next for a task, and the facts that it follows from. */
export type Ahead = {
  readonly inputs: readonly Input[]
  readonly unsaid: Unsaid
  /** Counted from 1; null for a task that is not queued. */
  readonly queuePosition: number | null
  readonly next: NextStep
  /** Null of a task of this daemon. */
  readonly elsewhere: Elsewhere | null
}

/** `open`: the task's questions that are not settled. */
export async function aheadOf(task: Task, open: readonly Question[], core: DeskNeeds): Promise<Ahead> {
  const queuePosition = task.status === 'pending' ? await core.store.queuePosition(task.id) : null
  const inputs = await core.store.inputs(task.id)
  const unsaid = unsaidOf(task, inputs, core)
  const elsewhere = await elsewhereOf(task, core)
  const next = nextStep({
    task,
    open,
    queuePosition,
    unsaid,
    mostRetries: termsOf(task, core).retries,
    answerWay: await wayToAnswer(task, open, core),
    gate: elsewhere === null ? await gateBefore(task, core) : null,
    elsewhere,
    quietHours: core.config['park.quietHours'],
    isFinishing: staysWhenIdle(task) && finishOrderIn(inputs) !== undefined,
    life: lifeOf(task, core),
    outage: waitsForTmux(task, core) ? core.terminal.outage() : null,
    now: core.clock.now(),
  })
  return { inputs, unsaid, queuePosition, next, elsewhere }
}

/** The closed gate that holds the task back; null when there is none. */
export async function gateBefore(task: Task, { store }: Reads<GateReads>): Promise<Gate | null> {
  return closedBefore(task, await store.gates()) ?? null
}

async function wayToAnswer(
  task: Task,
  open: readonly Question[],
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<AnswerWay> {
  const [first] = unanswered(open)
  return first === undefined ? 'at_once' : answerWay(task, first, core)
}

function lifeOf({ id }: Task, core: Pick<Core, 'ownTerms' | 'watched'>) {
  const watch = core.watched.get(id)
  if (watch === undefined || watch.life === null) return null
  const patience = reasonForPatience(watch.openWork)?.fact ?? null
  return { silentMs: watch.life.silentMs, limitMs: silenceLimitMs(watch, core), patience }
}
