// Owns typing the next input into a terminal run: a prompt into its box, an answer into its dialog.

import { sayInput } from '../../changes/say-input.ts'
import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import { wordsOf } from '../../domain/conversation/words-of.ts'
import { CONTINUATION } from '../../domain/task/go-on.ts'
import { beginsTurn, type Input } from '../../domain/task/input.ts'
import type { Question } from '../../domain/task/question.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { dialogIn, isAtRest, readingWithoutSecrets, type ScreenReading } from '../../ports/run/screen.ts'
import type { PaneView } from '../../ports/run/terminal.ts'
import type { InputDraft } from '../../ports/store/conversation.ts'
import { isBetweenTurns, turnBegins } from '../inputs/begin-turn.ts'
import { tellsWhatItHears } from '../inputs/hearing.ts'
import { nextToSay, questionOf } from '../inputs/next-to-say.ts'
import type { Recipient } from '../inputs/recipient.ts'
import { givenBackIn, sameWords } from '../inputs/said.ts'
import type { DeliveryNeeds } from '../needs.ts'
import { sentOf } from './box-of.ts'
import { type BoxLook, UNSENT_MS } from './box-seen.ts'
import { seenWhenSaid } from './screen-seen.ts'
import type { TerminalRecipient } from './terminal-recipient.ts'
import { stepOf, typePrompt } from './type-prompt.ts'

/** What is on the screen, and what there is to say. */
export type Look = {
  readonly view: PaneView
  readonly reading: ScreenReading
  readonly inputs: readonly Input[]
  readonly open: readonly Question[]
  /** What the box shows of the prompt that waits or was just sent; undefined when there is none. */
  readonly box: BoxLook | undefined
}

/** `nothing`: there is nothing to say now. An object: the input with this number is kept back. */
export type Typed = 'nothing' | 'said' | { readonly number: number; readonly why: KeptBack }

export async function typeNext(
  look: Look,
  recipient: TerminalRecipient,
  driver: AgentDriver,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'config' | 'terminal'>,
): Promise<Typed> {
  const next = nextToSay(look.inputs, look.open, recipient)
  if (next === undefined || next.kind === 'end') return takeOutUnsent(look, recipient, driver, needs)
  const typed =
    next.kind === 'answer'
      ? await typeAnswer(next, look, recipient, driver, needs)
      : await typeText(next, look, recipient, driver, needs)
  if (typed !== 'said' && typed !== 'arrived') return { number: next.number, why: typed }
  const { run, task } = recipient
  const at = needs.clock.now()
  recipient.screen = seenWhenSaid(look.reading, recipient.screen?.activeAt ?? 0)
  const then = typed === 'arrived' ? { input: continuationOf(next, at) } : {}
  const turn = beginsTurn(next) && isBetweenTurns(task) ? turnBegins(next, task, at) : {}
  await needs.commit({ say: sayInput(next, { runId: run.id, at, written: null }), ...turn, ...then })
  return 'said'
}

/** The agent died in the turn that the prompt began. */
const continuationOf = ({ taskId }: Input, at: number): InputDraft => ({
  taskId,
  kind: 'continuation',
  text: CONTINUATION,
  by: 'holdfast',
  at,
})

/**
 * Enter was about to be pressed on it in a run that died with its terminal, and the session that was resumed shows it as
 * said. The same words that were said before prove nothing.
 */
const hasArrived = (input: Input, { inputs, box }: Pick<Look, 'inputs' | 'box'>, { run }: Recipient) =>
  input.runId !== null &&
  input.runId !== run.id &&
  box?.isSaid === true &&
  isAtRest(box.reading) &&
  !inputs.some((one) => one.saidAt !== null && beginsTurn(one) && sameWords(one, wordsOf(input)))

const targetOf = ({ task, run }: Recipient) => ({ task: task.id, mark: run.id })

async function typeText(
  input: Input,
  { box, inputs }: Look,
  recipient: TerminalRecipient,
  driver: AgentDriver,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'config' | 'terminal'>,
): Promise<'said' | 'arrived' | KeptBack> {
  if (box === undefined || recipient.box === null || driver.keys === undefined) return BEING_TYPED
  // An agent that reports what it hears has told of it before.
  const tells = tellsWhatItHears(recipient.task, driver)
  if (!tells && hasArrived(input, { box, inputs }, recipient)) return 'arrived'
  const now = { wall: needs.clock.now(), mono: needs.clock.monotonic() }
  const isContinuation = input.kind === 'continuation'
  const givenBack = isContinuation ? givenBackIn(box.reading.draft, inputs, recipient.run.id) : undefined
  const look = { ...box, box: recipient.box, now, isGivenBack: givenBack !== undefined }
  // Whoever forced it takes the responsibility for keys of a moment ago, and for nothing else.
  const quietMs = input.forcedBy === null ? needs.config['quiet.window'] : 0
  const isTakenBack = givenBack !== undefined && stepOf(input, look, quietMs) === 'take_back'
  const words = isTakenBack ? await withGivenBack(input, givenBack, needs) : input.text
  const { taskId, number } = input
  const beforeEnter = () => needs.commit({ entering: { taskId, number, runId: recipient.run.id } })
  const means = { terminal: needs.terminal, clear: driver.keys.clear, quietMs, beforeEnter }
  return typePrompt(
    { number: input.number, text: wordsOf({ ...input, text: words }) },
    targetOf(recipient),
    look,
    means,
  )
}

/**
 * The agent has forgotten the prompt that it gave back: it is said again, before this input. Stored before the box is
 * emptied.
 */
async function withGivenBack(
  input: Input,
  { text }: Input,
  needs: Pick<DeliveryNeeds, 'commit'>,
): Promise<string> {
  if (input.text.startsWith(text)) return input.text
  const words = `${text}\n\n${input.text}`
  await needs.commit({ reword: { taskId: input.taskId, number: input.number, text: words } })
  return words
}

/**
 * Empties the box when a prompt is still in it long after our Enter. The agent takes keys in their order: an empty box
 * without a new prompt above it then proves that the prompt was not sent.
 */
async function takeOutUnsent(
  { box }: Look,
  recipient: TerminalRecipient,
  { keys }: AgentDriver,
  needs: Pick<DeliveryNeeds, 'clock' | 'terminal'>,
): Promise<'nothing'> {
  const isStuck =
    keys !== undefined &&
    box?.drawn === 'whole' &&
    sentOf(box, recipient.box) === 'unproven' &&
    isAtRest(box.reading) &&
    needs.clock.monotonic() - recipient.box!.since >= UNSENT_MS
  if (!isStuck || box.view.inMode || box.view.cleared === box.view.pasted) return 'nothing'
  const { task, mark } = targetOf(recipient)
  await needs.terminal.clear(task, mark, box.view.pasted, keys.clear(box.reading.draft ?? ''), box.view)
  return 'nothing'
}

/** So many looks must have seen a dialog before it is answered: it may lose keys that come too early. */
const STANDING_LOOKS = 4
/** A dialog is answered when no person has pressed a key for so long. */
const HANDS_OFF_MS = 2000
const DIALOG: KeptBack = { kind: 'dialog' }
const BEING_TYPED: KeptBack = { kind: 'being_typed' }

/** Types an answer only while its question is open and its own dialog is on the screen. */
async function typeAnswer(
  input: Input,
  look: Look,
  recipient: TerminalRecipient,
  driver: AgentDriver,
  needs: Pick<DeliveryNeeds, 'terminal'>,
): Promise<'said' | KeptBack> {
  const { reading, view, open } = look
  const tag = `a${input.number}`
  if (view.pressed === tag) return 'said'
  const question = questionOf(input, open)
  const hasStood = (recipient.screen?.looks ?? 0) >= STANDING_LOOKS
  if (!hasStood || question === undefined || !isDialogOf(question, reading) || view.inMode) return DIALOG
  // Somebody at the terminal may be answering the dialog.
  if (view.keyAgeMs !== null && view.keyAgeMs < HANDS_OFF_MS) return DIALOG
  const keys = driver.keys?.choose(reading, { option: input.option, text: input.text }) ?? null
  if (keys === null) return DIALOG
  const { task, mark } = targetOf(recipient)
  return (await needs.terminal.press(task, mark, tag, keys, { stir: view.stir })) === 'refused'
    ? DIALOG
    : 'said'
}

/** Another dialog may have come, which nobody was asked about. The question was stored without secrets. */
const isDialogOf = ({ text }: Question, reading: ScreenReading) =>
  dialogIn(readingWithoutSecrets(reading)) === text
