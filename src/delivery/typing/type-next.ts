// Owns typing what is to be said into a terminal run: a prompt into its box, an answer into its dialog.

import { sayInput } from '../../changes/say-input.ts'
import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import { spokenText } from '../../domain/conversation/spoken-text.ts'
import type { Input, Question } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import { isAtRest, type ScreenReading } from '../../ports/screen.ts'
import type { PaneView } from '../../ports/terminal.ts'
import type { Core, Watch } from '../../supervisor/task/core.ts'
import { isBetweenTurns } from '../../supervisor/watching/come-to-rest.ts'
import { givenBackIn, isPrompt } from '../inputs/said.ts'
import { beginTurn, nextToSay, questionOf } from '../lines/say-by-lines.ts'
import { sentOf } from './box-of.ts'
import { type BoxLook, UNSENT_MS } from './box-seen.ts'
import { seenWhenSaid } from './screen-seen.ts'
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

/** `nothing`: there is nothing to say now. */
export type Typed = 'nothing' | 'said' | { readonly number: number; readonly why: KeptBack }

export async function typeNext(
  look: Look,
  watch: Watch,
  driver: AgentDriver,
  core: Pick<Core, 'clock' | 'commit' | 'config' | 'terminal'>,
): Promise<Typed> {
  const next = nextToSay(look.inputs, look.open, watch)
  if (next === undefined || next.kind === 'end') return takeOutUnsent(look, watch, driver, core)
  const typed =
    next.kind === 'answer'
      ? await typeAnswer(next, look, watch, driver, core)
      : await typeText(next, look, watch, driver, core)
  if (typed !== 'said') return { number: next.number, why: typed }
  const { run } = watch
  const at = core.clock.now()
  watch.screen = seenWhenSaid(look.reading, watch.screen?.activeAt ?? 0)
  await core.commit({ say: sayInput(next, { runId: run.id, at, written: null }) })
  if (isPrompt(next) && isBetweenTurns(watch.task)) await beginTurn(next, watch, core)
  return 'said'
}

const targetOf = ({ task, run }: Watch) => ({ task: task.id, mark: run.id })

async function typeText(
  input: Input,
  { box, inputs }: Look,
  watch: Watch,
  driver: AgentDriver,
  core: Pick<Core, 'clock' | 'commit' | 'config' | 'terminal'>,
): Promise<'said' | KeptBack> {
  if (box === undefined || watch.box === null || driver.keys === undefined) return BEING_TYPED
  const now = { wall: core.clock.now(), mono: core.clock.monotonic() }
  const goesOn = input.kind === 'continuation'
  const givenBack = goesOn ? givenBackIn(box.reading.draft, inputs, watch.run.id) : undefined
  const look = { ...box, box: watch.box, now, isGivenBack: givenBack !== undefined }
  const quietMs = core.config['quiet.window']
  const isTakenBack = givenBack !== undefined && stepOf(input, look, quietMs) === 'take_back'
  const words = isTakenBack ? await withGivenBack(input, givenBack, core) : input.text
  const means = { terminal: core.terminal, clear: driver.keys.clear, quietMs }
  return typePrompt({ number: input.number, text: spokenText(words) }, targetOf(watch), look, means)
}

/** The agent has forgotten what it gave back: it is said again with what follows. Stored before it is taken out of the box. */
async function withGivenBack(input: Input, { text }: Input, core: Pick<Core, 'commit'>): Promise<string> {
  if (input.text.startsWith(text)) return input.text
  const words = `${text}\n\n${input.text}`
  await core.commit({ reword: { taskId: input.taskId, number: input.number, text: words } })
  return words
}

/**
 * Our Enter did not take it out of the box: the keys that empty it follow, and the agent takes keys in their order. An
 * empty box without a new prompt above it then proves that it was not sent.
 */
async function takeOutUnsent(
  { box }: Look,
  watch: Watch,
  { keys }: AgentDriver,
  core: Pick<Core, 'clock' | 'terminal'>,
): Promise<'nothing'> {
  const stuck =
    keys !== undefined &&
    box?.drawn === 'whole' &&
    sentOf(box, watch.box) === 'unproven' &&
    isAtRest(box.reading) &&
    core.clock.monotonic() - watch.box!.since >= UNSENT_MS
  if (!stuck || box.view.inMode || box.view.cleared === box.view.pasted) return 'nothing'
  const { task, mark } = targetOf(watch)
  await core.terminal.clear(task, mark, box.view.pasted, keys.clear(box.reading.draft ?? ''), box.view)
  return 'nothing'
}

/** A dialog may lose the keys of its first moments. */
const STANDING_LOOKS = 4
/** A person's last key at a dialog is so long ago. */
const HANDS_OFF_MS = 2000
const DIALOG: KeptBack = { kind: 'dialog' }
const BEING_TYPED: KeptBack = { kind: 'being_typed' }

/** Only into the dialog it answers: the one on the screen now. */
async function typeAnswer(
  input: Input,
  look: Look,
  watch: Watch,
  driver: AgentDriver,
  core: Pick<Core, 'terminal'>,
): Promise<'said' | KeptBack> {
  const { reading, view, open } = look
  const tag = `a${input.number}`
  if (view.pressed === tag) return 'said'
  const stands = reading.phase === 'asking' && (watch.screen?.looks ?? 0) >= STANDING_LOOKS
  if (!stands || questionOf(input, open) === undefined || view.inMode) return DIALOG
  // They may be answering it themselves.
  if (view.keyAgeMs !== null && view.keyAgeMs < HANDS_OFF_MS) return DIALOG
  const keys = driver.keys?.choose(reading, { option: input.option, text: input.text }) ?? null
  if (keys === null) return DIALOG
  const { task, mark } = targetOf(watch)
  return (await core.terminal.press(task, mark, tag, keys, { stir: view.stir })) === 'refused'
    ? DIALOG
    : 'said'
}
