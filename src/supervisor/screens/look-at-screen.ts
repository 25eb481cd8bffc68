// Owns a terminal run's screen: it is read, and what it means is stored.

import { acknowledgeByMarkers } from '../../delivery/inputs/acknowledge.ts'
import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { nextToSay } from '../../delivery/inputs/next-to-say.ts'
import { doneWith, openTurn } from '../../delivery/inputs/said.ts'
import { keptFromLines } from '../../delivery/lines/person-first.ts'
import { boxOf, sentOf } from '../../delivery/typing/box-of.ts'
import type { BoxLook } from '../../delivery/typing/box-seen.ts'
import { storeKept } from '../../delivery/typing/kept-back.ts'
import { type ScreenSeen, seenAfter } from '../../delivery/typing/screen-seen.ts'
import { noteNotTyped, storeDeferral } from '../../delivery/typing/store-deferral.ts'
import { type Look, typeNext } from '../../delivery/typing/type-next.ts'
import { orFallBack } from '../../delivery/typing/typed-in-vain.ts'
import { isAboutKeptBack } from '../../domain/conversation/holdfast-question.ts'
import { resetTime } from '../../domain/recovery/reset-time.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import { isAtRest, readingWithoutSecrets, type ScreenReading } from '../../ports/run/screen.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Reading } from '../../ports/store/reading.ts'
import { readRun } from '../reading/read-run.ts'
import { failedTurn } from '../recovering/failed-turn.ts'
import { copyTranscript } from '../task/copy-transcript.ts'
import type { Core, Watch } from '../task/core.ts'
import { NOTHING_OPEN } from '../task/open-work.ts'
import { comeToRest } from '../watching/come-to-rest.ts'
import { storedStart } from '../watching/observe.ts'
import type { ScreensNeeds } from './needs.ts'
import { newOnScreen } from './new-on-screen.ts'
import {
  LOOKS_FOR_STABLE_SCREEN,
  LOOKS_FOR_UNHEARD,
  type Sight,
  turnIsOver,
  whatScreenMeans,
} from './what-screen-means.ts'

/**
 * `activeAt`: epoch seconds of the pane's last change. Returns true when the screen should be looked
 * at again soon, even if nothing new is drawn.
 */
export async function lookAtScreen(watch: Watch, activeAt: number, core: ScreensNeeds): Promise<boolean> {
  const { task, run } = watch
  if (run.state !== 'live' || core.watched.get(task.id) !== watch) return false
  const view = await core.terminal.look(task.id, run.id)
  if (view === undefined) return false
  const driver = driverOf(task, core)
  // New lines of the transcript are newer than this picture: the next look reads the screen.
  if (await hearTranscript(watch, driver, core)) return true
  const reading = withStatus(driver.readScreen(view), watch, await core.handoff.env(task), driver, core)
  const seen = seenAfter(watch.screen, reading, task, activeAt)
  watch.screen = seen
  const inputs = await acknowledged(reading.said?.join('\n') ?? view.text, watch, core)
  const open = await core.store.openQuestions(task.id)
  const box = boxOf({ view, reading, inputs, open }, watch, driver, core.clock.monotonic())
  const look = { view, reading, inputs, open, box }
  const safeLook = { ...look, reading: readingWithoutSecrets(reading) }
  await keepSession(reading, watch, driver, core)
  // While a person is asked about a prompt that is kept back, the screen alone does not move the task.
  if (!open.some(isAboutKeptBack)) await store(safeLook, seen, watch, driver, core)
  const typed =
    hearsBy(watch.task, driver) === 'keys'
      ? await typeNext(look, watch, driver, core).catch((error) =>
          noteNotTyped(error, nextToSay(inputs, open, watch), core),
        )
      : keptFromLines(look, watch, core)
  // Nobody keeps it any more: what hears by lines is told on the next look at its run.
  if (watch.kept !== null && typed === 'nothing') core.requestLook(task.id)
  await storeKept(typed, safeLook, watch, core)
  await storeDeferral(typed, { ...look, task: watch.task }, core)
  return typed !== 'nothing' || seen.looks <= LOOKS_FOR_UNHEARD || sentOf(box, watch.box) !== 'maybe'
}

/**
 * What was said to the task, with the markers on the screen taken for what they are. That comes before the end of the
 * turn, which the same screen may show: what is done is not acknowledged any more.
 */
async function acknowledged(
  text: string,
  { task, run }: Watch,
  core: ScreensNeeds,
): Promise<readonly Input[]> {
  const inputs = await core.store.inputs(task.id)
  const isNew = await acknowledgeByMarkers(text, 'screen', { inputs, runId: run.id }, core)
  return isNew ? core.store.inputs(task.id) : inputs
}

/** Reads what is new in the agent's transcript; true when there was something. */
async function hearTranscript(watch: Watch, driver: AgentDriver, core: ScreensNeeds): Promise<boolean> {
  if (!(await copyTranscript(watch, driver, core))) return false
  await readRun(watch, null, core)
  return true
}

/**
 * If the screen tells nothing, the agent's status file does. A killed agent leaves the file behind, so
 * its process must be alive.
 */
function withStatus(
  reading: ScreenReading,
  watch: Watch,
  env: Readonly<Record<string, string>>,
  { status }: AgentDriver,
  core: Pick<Core, 'places' | 'processes'>,
): ScreenReading {
  if (status === undefined || reading.phase !== 'unknown' || reading.isElsewhere) return reading
  const start = storedStart(watch)
  if (start === undefined || !core.processes.isAlive(start)) return reading
  const text = core.places.peek(status.path(start.pid, env))
  if (text === undefined) return reading
  return { ...reading, phase: status.read(text), evidence: 'its status file' }
}

/** Some agents show their session id on the screen only. */
async function keepSession(
  { session }: ScreenReading,
  watch: Watch,
  driver: AgentDriver,
  core: Pick<Core, 'commit'>,
): Promise<void> {
  const { task, run } = watch
  if (session === undefined || session === task.sessionId || !driver.sessionIdPattern.test(session)) return
  await core.commit({
    reading: { ...nothingNew(watch), outputLength: run.outputLength, sessionId: session },
  })
}

const nothingNew = ({ task, run }: Watch) => ({
  taskId: task.id,
  runId: run.id,
  fromOffset: run.eventsOffset,
  offset: run.eventsOffset,
  unknownLines: 0,
  tokensIn: 0,
  tokensOut: 0,
  costUsd: 0,
})

async function store(
  { reading, inputs, open, box }: Look,
  seen: ScreenSeen,
  watch: Watch,
  driver: AgentDriver,
  core: ScreensNeeds,
): Promise<void> {
  if (isBack(reading, seen, watch)) {
    return comeToRest(watch, [saw('screen', reading.evidence.trim().slice(0, 200))], core)
  }
  const { task, run } = watch
  const turn = openTurn(inputs, run.id)
  const sight = {
    reading,
    seen,
    turn,
    sent: sentOf(box, watch.box),
    unsaid: inputs.flatMap(({ saidAt, question }) =>
      saidAt === null && question !== null ? [question] : [],
    ),
    reportsEvents: driver.can.terminal?.tells === 'events',
  }
  if (turn !== undefined && isSubmittedByScreen(sight, box))
    await core.commit({
      reading: {
        ...nothingNew(watch),
        outputLength: run.outputLength,
        heard: [turn.number],
        heardBy: [saw('screen', `it left the box: ${reading.evidence.trim().slice(0, 200)}`)],
      },
    })
  const over = turnIsOver(sight, task)
  const failed = over ? await failedByScreen(reading, watch, driver, core) : undefined
  const change = failed ?? whatScreenMeans(sight, watch, open, core.clock.now())
  if (change === undefined && turn !== undefined && isHeardByScreen(sight, box, task))
    await core.commit({
      reading: { ...nothingNew(watch), outputLength: run.outputLength, done: [turn.number] },
    })
  if (change === undefined) return
  const unproven = turn?.heardAt === null && !seen.worked && box?.isSaid !== true
  const ending = over
    ? { reading: { ...(await endOfTurn(turn, inputs, reading, sight.reportsEvents, watch, core)), unproven } }
    : {}
  await core.commit({ ...(await orFallBack(change, { task, turn }, core)), ...ending })
  // Nobody reports the end of an interrupted tool call.
  if (over) watch.openWork = NOTHING_OPEN
}

/** Of an agent that does not tell: the prompt is gone from the box, and the agent works or shows it as said. */
const isSubmittedByScreen = ({ reportsEvents, turn, reading }: Sight, box: BoxLook | undefined) =>
  !reportsEvents &&
  turn?.heardAt === null &&
  box !== undefined &&
  reading.draft === null &&
  (reading.phase === 'working' || box.isSaid)

/**
 * The agent reported the end of its turn, but in its report we did not recognize our prompt. The
 * screen shows that the prompt was said.
 */
const isHeardByScreen = ({ seen, turn, reading }: Sight, box: BoxLook | undefined, { phase }: Task) =>
  turn?.heardAt === null &&
  phase === 'idle' &&
  isAtRest(reading) &&
  seen.looks >= LOOKS_FOR_UNHEARD &&
  box?.isSaid === true

/** The agent's interface is there, and no turn has begun in it. */
const isBack = (reading: ScreenReading, { looks }: ScreenSeen, { task }: Watch) =>
  task.phase === 'starting' && isAtRest(reading) && looks >= LOOKS_FOR_STABLE_SCREEN

/** A failure that only the screen shows. That is weaker than the agent's report, so a limit holds back this task alone. */
async function failedByScreen(
  { phase, evidence, limit }: ScreenReading,
  watch: Watch,
  driver: AgentDriver,
  core: ScreensNeeds,
): Promise<Change | undefined> {
  if (phase !== 'limit' && phase !== 'error') return undefined
  const failure = phase === 'limit' ? 'limit' : driver.readStderr(evidence)
  const until = limit?.until ? resetTime(limit.until, core.clock.now()) : null
  return failedTurn(watch, { failure, words: evidence, limitedUntil: until, isTold: false }, core)
}

/** What the agent does not report is taken from the screen. An interrupted turn did not end well. */
async function endOfTurn(
  turn: Input | undefined,
  inputs: readonly Input[],
  reading: ScreenReading,
  reportsEvents: boolean,
  watch: Watch,
  core: Pick<Core, 'handoff' | 'places'>,
): Promise<Reading> {
  const { task, run } = watch
  const note = reportsEvents || watch.copied !== null ? '' : screenNote(reading, watch, core)
  const ok = reading.phase === 'idle' && reading.interrupted !== true
  return {
    ...nothingNew(watch),
    outputLength: await core.handoff.appendOutput(task, run.outputLength, note),
    done: doneWith(turn, inputs),
    heardBy: [saw('screen', reading.evidence.trim().slice(0, 200))],
    ...(reportsEvents ? {} : { result: { ok, text: ok ? '' : reading.evidence } }),
    // An agent that tells of its turns, or has a transcript, is counted by its own words.
    ...(reportsEvents || watch.copied !== null ? {} : { progress: ok ? 1 : 0 }),
  }
}

/** The end of output.log that is compared with the screen: more than any screen holds. */
const LOG_TAIL_BYTES = 64 * 1024

function screenNote(
  { said = [] }: ScreenReading,
  { task, run }: Watch,
  core: Pick<Core, 'handoff' | 'places'>,
): string {
  const from = Math.max(0, run.outputLength - LOG_TAIL_BYTES)
  const log = core.places.readFrom(core.handoff.paths(task).outputLog, from, run.outputLength - from)
  return newOnScreen(said, Buffer.from(log ?? []).toString('utf8'))
}
