// Owns typing what is to be said into a terminal run: a prompt into its box, an answer into its dialog.
import { typePrompt } from '../delivery/type-prompt.ts'
import { tmuxSessionName } from '../domain/names.ts'
import { spokenText } from '../domain/spoken-text.ts'
import type { Input, Question } from '../domain/task.ts'
import type { AgentDriver } from '../ports/agent-driver.ts'
import type { ScreenReading } from '../ports/screen.ts'
import type { PaneView } from '../ports/terminal.ts'
import type { Core, Watch } from './core.ts'
import { isPrompt } from './said.ts'
import { beginTurn, nextToSay, questionOf } from './speak.ts'
import { refresh } from './watch-task.ts'

/** What is on the screen, and what there is to say. */
export type Look = {
  readonly view: PaneView
  readonly reading: ScreenReading
  readonly inputs: readonly Input[]
  readonly open: readonly Question[]
}

/** True while something is being typed. */
export async function typeNext(look: Look, watch: Watch, driver: AgentDriver, core: Core): Promise<boolean> {
  const next = nextToSay(look.inputs, look.open, watch.run.id)
  if (next === undefined || next.kind === 'end') return false
  const said =
    next.kind === 'answer'
      ? await typeAnswer(next, look, watch, driver, core)
      : await typeText(next, look, watch, core)
  if (!said) return true
  const { task, run } = watch
  const at = core.clock.now()
  // What it shows from here on is about this.
  watch.screen = null
  await core.store.say({ taskId: task.id, number: next.number, runId: run.id, at, written: null })
  if (isPrompt(next) && watch.task.phase === 'idle') await beginTurn(next, watch, core)
  await refresh(watch, core)
  return true
}

const targetOf = ({ task, run }: Watch) => ({ name: tmuxSessionName(task.id), mark: run.id })

const typeText = async (input: Input, look: Look, watch: Watch, core: Core) =>
  (await typePrompt(
    { tag: `i${input.number}`, text: spokenText(input.text) },
    targetOf(watch),
    look,
    core.terminal,
  )) === 'said'

/** A dialog may lose the keys of its first moments. */
const STANDING_LOOKS = 4

/** Only into the dialog it answers: the one on the screen now. */
async function typeAnswer(
  input: Input,
  look: Look,
  watch: Watch,
  driver: AgentDriver,
  core: Core,
): Promise<boolean> {
  const { reading, view, open } = look
  const tag = `a${input.number}`
  if (view.pressed === tag) return true
  const stands = reading.phase === 'asking' && (watch.screen?.looks ?? 0) >= STANDING_LOOKS
  if (!stands || questionOf(input, open) === undefined || view.inMode) return false
  const keys = driver.keys?.choose(reading, { option: input.option, text: input.text }) ?? null
  if (keys === null) return false
  const { name, mark } = targetOf(watch)
  return (await core.terminal.press(name, mark, tag, keys)) !== 'refused'
}
