// Owns saying inputs to a run by lines: each input is stored with its offset first and then written, so that none is lost
// or said twice.

import { sayInput } from '../../changes/say-input.ts'
import { wordsOf } from '../../domain/conversation/words-of.ts'
import type { RunId } from '../../domain/names/ids.ts'
import { beginsTurn, type Input } from '../../domain/task/input.ts'
import type { Question } from '../../domain/task/question.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import { beginTurn, isBetweenTurns } from '../inputs/begin-turn.ts'
import { hearsBy } from '../inputs/hearing.ts'
import { nextToSay, questionOf } from '../inputs/next-to-say.ts'
import type { Recipient } from '../inputs/recipient.ts'
import { refOf } from '../inputs/said.ts'
import type { DeliveryNeeds } from '../needs.ts'
import { type EndsRun, endInput } from './end-input.ts'
import { isKeptByPerson } from './person-first.ts'
import { writeInputLine } from './write-input-line.ts'

export type LinesRecipient = Recipient & {
  /** All lines that are stored as said are in the run's input file. */
  inputWritten: boolean
  /** What a terminal run's screen has shown; it is forgotten when something is said, because it shows the turn before. */
  screen: object | null
}

type Needs = Pick<
  DeliveryNeeds,
  'clock' | 'commit' | 'config' | 'driver' | 'log' | 'processes' | 'runFiles' | 'terminal'
> &
  Reads<ConversationReads>

/** Says everything that can be said now; ends the conversation when nothing more will come. */
export async function sayByLines(recipient: LinesRecipient, ends: EndsRun, needs: Needs): Promise<void> {
  const driver = driverOf(recipient.task, needs)
  if (recipient.run.state !== 'live' || hearsBy(recipient.task, driver) !== 'lines') return
  if (!(await writeAgain(recipient, needs))) return
  for (;;) {
    const inputs = await needs.store.inputs(recipient.task.id)
    const open = await needs.store.openQuestions(recipient.task.id)
    const next = nextToSay(inputs, open, recipient)
    if (next === undefined) return isOver(inputs, recipient) ? endInput(recipient, ends, needs) : undefined
    if (next.kind === 'end') return endInput(recipient, ends, needs)
    if (await isKeptByPerson(next, recipient, driver, needs)) return
    const line = lineFor(next, open, driver, recipient)
    // The agent has reported how it ended before this input could be said.
    if (line === null) return recipient.run.result === null ? undefined : endInput(recipient, ends, needs)
    if (!(await say(next, line, recipient, needs))) return
  }
}

function lineFor(
  input: Input,
  open: readonly Question[],
  driver: AgentDriver,
  { task }: Recipient,
): string | null {
  if (beginsTurn(input))
    return driver.lines!.prompt({ ref: refOf(input), text: wordsOf(input), session: task.sessionId })
  const question = questionOf(input, open)
  if (question === undefined || question.ref === null) return null
  const asked = { ref: question.ref, question: question.text, options: question.options }
  return driver.lines!.answer(asked, { option: input.option, text: input.text })
}

/** False when the run can be told nothing more. */
async function say(
  input: Input,
  line: string,
  recipient: LinesRecipient,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'log' | 'runFiles'>,
): Promise<boolean> {
  const { task, run } = recipient
  recipient.screen = null
  const at = needs.clock.now()
  const offset = run.inputLength
  await needs.commit({ say: sayInput(input, { runId: run.id, at, written: { line, offset } }) })
  if (!(await writeInputLine(offset, line, recipient, needs))) return false
  if (beginsTurn(input) && isBetweenTurns(task)) await beginTurn(input, recipient, needs)
  return true
}

/**
 * Writes the stored lines that the input file lacks because a daemon died before it wrote them. Done once per daemon.
 * False when the run can be told nothing more.
 */
async function writeAgain(
  recipient: LinesRecipient,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'log' | 'runFiles'> & Reads<ConversationReads>,
): Promise<boolean> {
  if (recipient.inputWritten) return true
  const { run } = recipient
  for (const { runId, line, offset } of await needs.store.inputs(recipient.task.id))
    if (runId === run.id && line !== null && offset !== null)
      if (!(await writeInputLine(offset, line, recipient, needs))) return false
  recipient.inputWritten = true
  return true
}

/** A task that does not stay when it is idle is over after its last turn. */
const isOver = (inputs: readonly Input[], { task, run }: Recipient) =>
  !staysWhenIdle(task) &&
  run.result !== null &&
  inputs.every((input) => !beginsTurn(input) || isDone(input, run.id))

/** A prompt that was said to an earlier run counts as done: this run goes on with it. */
const isDone = ({ doneAt, saidAt, runId }: Input, current: RunId) =>
  doneAt !== null || (saidAt !== null && runId !== current)
