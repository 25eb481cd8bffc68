// Owns reading what an agent says: effects, offset and output length are stored together, so that each line counts exactly once.

import { acknowledgeByMarkers, ownWords } from '../../delivery/inputs/acknowledge.ts'
import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { progressOf, withPrompts } from '../../delivery/inputs/said.ts'
import { inputsAsHeard } from '../../delivery/typing/heard-in-box.ts'
import { printable } from '../../domain/names/names.ts'
import type { Run } from '../../domain/task/run.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentDriver, AgentSays } from '../../ports/run/agent-driver.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { Chunk } from '../../ports/run/run-files.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Reading } from '../../ports/store/reading.ts'
import { failedTurn } from '../recovering/failed-turn.ts'
import type { Core, Watch } from '../task/core.ts'
import { openAfter } from '../task/open-work.ts'
import { toldInFull, wordsAfter } from '../task/told-in-full.ts'
import { noteBridge } from '../watching/check-bridges.ts'
import { isLostSession } from '../watching/lost-session.ts'
import { storedStart } from '../watching/observe.ts'
import { effectsOf, withoutRepeats } from './effects.ts'
import type { ReadingNeeds } from './needs.ts'
import { notePersonPrompts } from './person-prompts.ts'
import { renderSays } from './render-says.ts'
import { type Part, splitReading } from './split-reading.ts'
import { isStoppedByPerson } from './stopped-by-person.ts'
import { changeOf } from './turns.ts'

const CHUNK_BYTES = 1024 * 1024
/** No event is longer than this: a longer line is skipped, and counted as unknown. */
const LONGEST_LINE_BYTES = 32 * 1024 * 1024
const NEWLINE = 0x0a

/**
 * Reads everything there is, chunk by chunk. `endedAt`: epoch ms of the agent's end, null while it lives. A last line without
 * a newline is read only when the agent has ended: the rest may still come.
 */
export async function readRun(watch: Watch, endedAt: number | null, core: ReadingNeeds): Promise<void> {
  let most = CHUNK_BYTES
  for (;;) {
    const from = watch.run.eventsOffset
    const chunk = await core.runFiles.readEvents(watch.run.id, from, most, storedStart(watch))
    const { bytes } = chunk
    if (chunk.held && !watch.eventsHeld) noteHeld(watch, core)
    if (isCut(watch.run, chunk)) return lostTail(watch, chunk.size, core)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      await take(watch, bytes.subarray(0, end), endedAt, core)
      most = CHUNK_BYTES
    } else if (bytes.length < most) {
      if (endedAt !== null && bytes.length > 0) await take(watch, bytes, endedAt, core)
      return
    } else if (most < LONGEST_LINE_BYTES) most *= 2
    else await passOver(watch, bytes.length, core)
  }
}

/** Each question is stored with the lines up to it, as a part of its own: so none hides another. */
async function take(
  watch: Watch,
  bytes: Uint8Array,
  endedAt: number | null,
  core: ReadingNeeds,
): Promise<void> {
  const driver = driverOf(watch.task, core)
  for (const part of splitReading(bytes, driver, watch.task.sessionId))
    await takePart(watch, part, driver, endedAt, core)
}

async function takePart(
  watch: Watch,
  part: Part,
  driver: AgentDriver,
  endedAt: number | null,
  core: ReadingNeeds,
): Promise<void> {
  const { task, run } = watch
  const inputs =
    hearsBy(task, driver) === 'nothing' ? [] : await inputsAsHeard(part.says, watch, driver, core)
  const told = toldInFull(part.says, { steps: run.steps, words: watch.words })
  const says = withPrompts(withoutRepeats(told, task.sessionId), inputs)
  const text = redactSecrets(says.map((said) => shown(said, driver)).join(''))
  const outputLength = await core.handoff.appendOutput(task, run.outputLength, text)
  const reading: Reading = {
    taskId: task.id,
    runId: run.id,
    fromOffset: run.eventsOffset,
    offset: run.eventsOffset + part.bytes,
    outputLength,
    // What an agent said, it said before its end.
    ...effectsOf(says, driver, watch, endedAt ?? core.clock.now()),
    ...progressOf(says, inputs, { id: run.id, inTerminal: task.mode === 'interactive' }),
  }
  const open = task.status === 'waiting_input' ? await core.store.openQuestions(task.id) : []
  const failed = await failedTurnIn(says, reading, watch, driver, core)
  const change = failed ?? changeOf(says, watch, open, core.clock.now())
  // Before the end of the turn, which may be told with the same words: what is done is not acknowledged any more.
  await acknowledgeByMarkers(ownWords(says), 'agent', { inputs, runId: run.id }, core)
  await notePersonPrompts(says, inputs, watch, core)
  await core.commit({ ...change, reading })
  watch.words = wordsAfter(says, watch.words)
  watch.openWork = openAfter(watch.openWork, says)
  // What hears by lines has its prompt only now: until then, its screen showed the turn before.
  const hasBegun = (reading.heard ?? []).length > 0 && hearsBy(task, driver) === 'lines'
  if (change !== undefined || hasBegun) watch.screen = null
  if (says.some((said) => isWithout(said, core))) await noteBridge(watch, 'absent', core)
}

/** The agent says itself that it could not start the tools of Holdfast. */
const isWithout = (said: AgentSays, { mcpServer }: Pick<Core, 'mcpServer'>) =>
  said.kind === 'note' && said.missingServer !== undefined && said.missingServer === mcpServer?.name

/** What follows a failed turn of a session that stays after its turns. Other runs end with their turn, and are judged then. */
async function failedTurnIn(
  says: readonly AgentSays[],
  { failure, limitedUntil = null }: Reading,
  watch: Watch,
  driver: AgentDriver,
  core: ReadingNeeds,
): Promise<Change | undefined> {
  const last = says.findLast(({ kind }) => kind === 'finished')
  if (last?.kind !== 'finished' || last.ok || !failure || !staysWhenIdle(watch.task)) return undefined
  if (isStoppedByPerson(last, watch) || isLostSession(watch.run, [last.text], driver)) return undefined
  return failedTurn(watch, { failure, words: last.text, limitedUntil, isTold: true }, core)
}

const shown = (said: AgentSays, driver: AgentDriver) =>
  said.kind === 'session' && !driver.sessionIdPattern.test(said.id)
    ? `[holdfast] refused '${printable(said.id)}': not a session id of ${driver.kind}\n`
    : renderSays(said)

function noteHeld(watch: Watch, core: Pick<Core, 'log'>): void {
  watch.eventsHeld = true
  core.log.warn('the event file was deleted; it is still read, through the agent that has it open', {
    run: watch.run.id,
  })
}

/** True when the file is shorter than what was read of it, or was deleted (it exists before the agent starts). A deletion is noted once. */
const isCut = ({ eventsOffset, eventsLost }: Run, { size, gone }: Chunk) =>
  size < eventsOffset || (gone === true && eventsLost === 0)

/** Reading goes on from the file's present end, and output.log says so. What was in the lost part is unknown. */
async function lostTail(
  watch: Watch,
  size: number,
  core: Pick<Core, 'commit' | 'handoff' | 'log'>,
): Promise<void> {
  const { id, eventsOffset } = watch.run
  core.log.warn('events file was cut', { run: id, had: eventsOffset, has: size })
  const note = `[holdfast] the event file was cut from ${eventsOffset} to ${size} bytes\n`
  await skipTo(watch, size, { eventsLost: true, unknownLines: 0 }, note, core)
}

async function passOver(watch: Watch, bytes: number, core: Pick<Core, 'commit' | 'handoff'>): Promise<void> {
  const note = `[holdfast] skipped ${bytes} bytes without a line end\n`
  await skipTo(watch, watch.run.eventsOffset + bytes, { unknownLines: 1 }, note, core)
}

async function skipTo(
  watch: Watch,
  offset: number,
  lost: Pick<Reading, 'unknownLines' | 'eventsLost'>,
  note: string,
  core: Pick<Core, 'commit' | 'handoff'>,
): Promise<void> {
  const { task, run } = watch
  const outputLength = await core.handoff.appendOutput(task, run.outputLength, note)
  const nothing = { ...lost, tokensIn: 0, tokensOut: 0, costUsd: 0 }
  await core.commit({
    reading: {
      taskId: task.id,
      runId: run.id,
      fromOffset: run.eventsOffset,
      offset,
      outputLength,
      ...nothing,
    },
  })
  watch.openWork = null
}
