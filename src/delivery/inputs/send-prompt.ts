// Owns sending a further prompt to a task that can hear, and the message that no more prompts will come.

import { tryCommit } from '../../changes/try-commit.ts'
import { checkPrompt } from '../../domain/conversation/check-prompt.ts'
import { HoldfastError, waysOut } from '../../domain/errors.ts'
import { termsOf } from '../../domain/settings/task-terms.ts'
import type { Input, Trigger } from '../../domain/task/input.ts'
import { isEnded } from '../../domain/task/machine.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { Task } from '../../domain/task/task.ts'
import { checkKey, checkReason, checkThread } from '../../domain/trigger/check-trigger.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { ConversationReads, InputDraft } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TriggerDraft, TriggerReads } from '../../ports/store/triggers.ts'
import type { DeliveryNeeds } from '../needs.ts'
import { finishOrderIn } from './finish-order.ts'
import { hearsBy } from './hearing.ts'

/** What a sender may say about a prompt. */
export type SendAs = {
  readonly thread?: string | undefined
  readonly reason?: string | undefined
  /** The same key with the same prompt names the same trigger. */
  readonly key?: string | undefined
  /** In its envelope, and to be acknowledged. When absent: if it has a thread, or its task is a runtime. */
  readonly framed?: boolean | undefined
  /** Typed although somebody typed there a moment ago. Never into a dialog or over a person's unsent text. */
  readonly force?: Force | undefined
  /** Asked for a prompt that is new. It tells why that one waits, although its agent could have it; or refuses it. */
  readonly admit?: (() => Promise<InputDraft['deferred']>) | undefined
  /** Stored together with it. */
  readonly along?: Pick<Change, 'requestKey' | 'cause'> | undefined
}
export type Force = { readonly operator: string; readonly why: string }

type SendNeeds = Pick<DeliveryNeeds, 'clock' | 'commit' | 'driver' | 'ownTerms'> &
  Reads<ConversationReads & TriggerReads>

/** Stores the prompt as a trigger. It is said when the agent's turn is over. */
export async function sendPrompt(
  task: Task,
  prompt: string,
  by: string,
  needs: SendNeeds,
  as: SendAs = {},
): Promise<Trigger> {
  const text = checkPrompt(Buffer.from(prompt), termsOf(task, needs).longestSentBytes)
  const trigger = triggerDraft(task, as)
  const before = await withItsKey(task, { text, trigger }, as, needs)
  if (before !== undefined) return before
  await checkHears(task, needs)
  const deferred = await as.admit?.()
  const input = { kind: 'prompt', text, by, trigger, ...(deferred && { deferred }) } as const
  const queued = await queue(task, input, needs, as.along).catch((error) => {
    // Somebody may have used the key in this moment.
    if (as.key === undefined) throw error
    return withItsKey(task, { text, trigger }, as, needs).then((found) => found ?? Promise.reject(error))
  })
  return queued as Trigger
}

function triggerDraft({ snapshot }: Task, { thread, reason, key, framed, force }: SendAs): TriggerDraft {
  const isFramed = framed ?? (thread !== undefined || snapshot.standing === true)
  return {
    thread: thread === undefined ? null : checkThread(thread),
    reason: reason === undefined ? null : checkReason(reason),
    key: key === undefined ? null : checkKey(key),
    framed: isFramed ? 1 : 0,
    forcedBy: force?.operator ?? null,
    forcedWhy: force?.why ?? null,
  }
}

/** The trigger that this key named before; forced now, if that is wanted and nobody did so before. */
async function withItsKey(
  { id }: Task,
  { text, trigger }: { readonly text: string; readonly trigger: TriggerDraft },
  { key, force }: SendAs,
  needs: Pick<SendNeeds, 'clock' | 'commit' | 'store'>,
): Promise<Trigger | undefined> {
  const before = key === undefined ? undefined : await needs.store.triggerWithKey(id, key)
  if (before === undefined) return undefined
  const isSame =
    before.text === text &&
    before.thread === trigger.thread &&
    before.reason === trigger.reason &&
    before.framed === trigger.framed
  if (!isSame)
    throw new HoldfastError(
      'KEY_REUSED',
      `The key '${key}' was used for another prompt (${before.triggerId}).`,
    )
  if (force === undefined) return before
  const at = needs.clock.now()
  await tryCommit({ force: { id: before.triggerId, by: force.operator, why: force.why, at } }, needs)
  return (await needs.store.trigger(before.triggerId)) ?? before
}

async function checkHears(task: Task, needs: SendNeeds): Promise<void> {
  if (hearsBy(task, driverOf(task, needs)) === 'nothing') throw takesNone(task)
  if (finishOrderIn(await needs.store.inputs(task.id)) !== undefined)
    throw new HoldfastError('TASK_NOT_ACTIVE', `${task.id} is being finished: it takes no further prompts.`)
}

function takesNone({ id, status }: Task): HoldfastError {
  const why = `${id} takes no further prompts: it was started without --converse and without a terminal.`
  return isEnded(status)
    ? new HoldfastError('AGENT_CANNOT', `${why} It has ended, and can be resumed with one.`, {
        waysOut: waysOut(id, 'resume'),
      })
    : new HoldfastError('AGENT_CANNOT', `${why} When it has ended, it can be resumed with one.`, {
        waysOut: waysOut(id, 'kill'),
      })
}

/** The conversation ends when its turn is over and all earlier prompts are done. `along` is stored with it. */
export async function endConversation(
  task: Task,
  by: string,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'driver'>,
  along: Pick<Change, 'requestKey'> = {},
): Promise<Input> {
  if (task.mode === 'interactive' || hearsBy(task, driverOf(task, needs)) !== 'lines')
    throw new HoldfastError('AGENT_CANNOT', `${task.id} ${whyNoEnd(task)}`, {
      waysOut: waysOut(
        task.id,
        ...(staysWhenIdle(task) ? (['finish', 'kill'] as const) : (['kill'] as const)),
      ),
    })
  return queue(task, { kind: 'end', text: '', by }, needs, along)
}

const whyNoEnd = ({ mode }: Task) =>
  mode === 'interactive'
    ? 'works in a terminal: it stays open after its last prompt, until you finish or kill it.'
    : 'takes no further prompts anyway: it ends by itself when its work is done.'

async function queue(
  task: Task,
  input: Pick<InputDraft, 'text' | 'by' | 'trigger' | 'deferred'> & { readonly kind: 'prompt' | 'end' },
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'>,
  along: Pick<Change, 'requestKey' | 'cause'> = {},
): Promise<Input> {
  const at = needs.clock.now()
  const { kind, text, by } = input
  const detail = kind === 'end' ? 'no more prompts' : `${Buffer.byteLength(text)} bytes`
  const audit: AuditEntry = { at, kind: `${kind}_sent`, taskId: task.id, actor: by, detail }
  const queued = await tryCommit({ input: { ...input, taskId: task.id, at }, audit, ...along }, needs)
  if (queued?.input === undefined) throw hasEnded(task)
  return queued.input
}

function hasEnded({ id, runtime }: Pick<Task, 'id' | 'runtime'>): HoldfastError {
  return runtime === null
    ? new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has ended.`)
    : new HoldfastError('RUNTIME_STOPPED', `Runtime ${runtime} is stopped: it takes no prompts.`)
}
