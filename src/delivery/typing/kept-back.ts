// Owns inputs that are kept back, because nothing can be typed into the agent's terminal now: the reason is remembered
// and shown, and after a while a person is asked. When the input is said, the question is over. Pure, except the last
// function.

import { moveTask } from '../../changes/move-task.ts'
import { isAboutKeptBack, KEPT_BACK_ASKS } from '../../domain/conversation/holdfast-question.ts'
import { isPassing, type KeptBack, type KeptSince, keptSince } from '../../domain/conversation/kept-back.ts'
import { keptLine, keptQuestion } from '../../domain/conversation/kept-back-text.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Question } from '../../domain/task/question.ts'
import type { PlainEvent } from '../../domain/task/state.ts'
import { isAtRest, type ScreenReading } from '../../ports/run/screen.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Recipient } from '../inputs/recipient.ts'
import { openTurn, unsaidPrompts } from '../inputs/said.ts'
import type { DeliveryNeeds } from '../needs.ts'
import type { Now } from './quiet.ts'
import type { TerminalRecipient } from './terminal-recipient.ts'
import type { Typed } from './type-next.ts'

/** An input that is kept back, as it is remembered from one look to the next. */
export type Kept = {
  readonly why: KeptSince
  /** The number of the input. */
  readonly number: number
  /** Monotonic ms since which this input is kept back, whatever the reasons. It starts anew after a passing reason. */
  readonly sinceMono: number
}

/** Long enough for a person to finish a line, and short enough to ask within a minute. */
export const ASKS_AFTER_MS = 45_000
/** Typing and drawing take less time than this. */
const IS_IDLE_AFTER_MS = 3000

export function keptAfter(before: Kept | null, why: KeptBack, number: number, now: Now): Kept {
  const goesOn = before !== null && before.number === number && !isPassing(before.why)
  return {
    why: keptSince(before?.why ?? null, why, now.wall),
    number,
    sinceMono: goesOn ? before.sinceMono : now.mono,
  }
}

export type KeptSight = {
  readonly kept: Kept | null
  readonly inputs: readonly Input[]
  readonly open: readonly Question[]
  readonly reading: Pick<ScreenReading, 'phase' | 'evidence'>
}

/** What is to be stored after a look, if anything. Once it is stored, the next look does not lead to the same change. */
export function keptChange(sight: KeptSight, recipient: Recipient, now: Now): Change | undefined {
  const question = sight.open.find(isAboutKeptBack)
  if (question !== undefined)
    return isOver(sight) ? closeQuestion(sight, question, recipient, now) : undefined
  const { kept, open, reading } = sight
  if (kept === null || isPassing(kept.why) || recipient.task.status !== 'running') return undefined
  const waitedMs = now.mono - kept.sinceMono
  if (waitedMs >= ASKS_AFTER_MS && open.length === 0) return askPerson(sight, kept, recipient, now)
  const seemsAtWork = recipient.task.phase === 'working' && isAtRest(reading) && hasNoTurn(sight, recipient)
  if (!seemsAtWork || waitedMs < IS_IDLE_AFTER_MS) return undefined
  const reason = keptLine(unsaidPrompts(sight.inputs).length, kept.why, now.wall)
  return { task: moveOf(recipient, 'prompt_waits', reason, sight, now) }
}

/**
 * The question about kept-back prompts is over: all prompts were said, or the agent works, or it asks something itself.
 */
const isOver = ({ inputs, reading }: KeptSight) =>
  unsaidPrompts(inputs).length === 0 || reading.phase === 'working' || reading.phase === 'asking'

const hasNoTurn = ({ inputs }: KeptSight, { run }: Recipient) => openTurn(inputs, run.id) === undefined

function closeQuestion(sight: KeptSight, { number }: Question, recipient: Recipient, now: Now): Change {
  const isIdle = isAtRest(sight.reading) && hasNoTurn(sight, recipient)
  const isSaid = unsaidPrompts(sight.inputs).length === 0
  const reason = isSaid ? 'the waiting prompts were sent' : 'its screen has changed'
  return {
    ...(recipient.task.status === 'waiting_input'
      ? { task: moveOf(recipient, isIdle ? 'turn_finished' : 'question_settled', reason, sight, now) }
      : {}),
    settled: { taskId: recipient.task.id, at: now.wall, numbers: [number] },
  }
}

function askPerson(sight: KeptSight, { why }: Kept, recipient: Recipient, now: Now): Change {
  const { id } = recipient.task
  const waiting = unsaidPrompts(sight.inputs).length
  const reason = keptLine(waiting, why, now.wall)
  return {
    task: moveOf(recipient, 'question_asked', reason, sight, now),
    question: {
      taskId: id,
      runId: recipient.run.id,
      text: keptQuestion(waiting, why, now.wall),
      options: ['resume', 'close'],
      ref: KEPT_BACK_ASKS,
      askedAt: now.wall,
    },
    event: { at: now.wall, kind: 'escalation', taskId: id, data: { reason } },
    audit: { at: now.wall, kind: 'task_kept_back', taskId: id, actor: 'holdfast', detail: reason },
  }
}

const moveOf = (
  { task: { id, status } }: Recipient,
  event: PlainEvent,
  reason: string,
  { reading }: KeptSight,
  { wall: at }: Now,
) => moveTask({ id, from: status, event, reason, evidence: evidenceOf(reading), at })

const evidenceOf = ({ evidence }: KeptSight['reading']): Evidence[] =>
  evidence === '' ? [] : [saw('screen', evidence.trim().slice(0, 200))]

/**
 * Called after each look at the screen. Remembers what could not be said, and closes the question about what was said.
 */
export async function storeKept(
  typed: Typed,
  look: Omit<KeptSight, 'kept'>,
  recipient: TerminalRecipient,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'> & Reads<ConversationReads>,
): Promise<void> {
  const { clock, store } = needs
  const now = { wall: clock.now(), mono: clock.monotonic() }
  const kept = typeof typed === 'string' ? null : keptAfter(recipient.kept, typed.why, typed.number, now)
  recipient.kept = kept
  const inputs = typed === 'said' ? await store.inputs(recipient.task.id) : look.inputs
  const change = keptChange({ ...look, inputs, kept }, recipient, now)
  if (change !== undefined) await needs.commit(change)
}
