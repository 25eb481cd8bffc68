// Owns a terminal run's screen: it is read, and what it means is stored.
import { tmuxSessionName } from '../domain/names.ts'
import { resetTime } from '../domain/reset-time.ts'
import type { Input } from '../domain/task.ts'
import type { AgentDriver } from '../ports/agent-driver.ts'
import type { ScreenReading } from '../ports/screen.ts'
import type { Change, Reading } from '../ports/store-changes.ts'
import type { PaneView } from '../ports/terminal.ts'
import type { Core, Watch } from './core.ts'
import { driverOf } from './driver-of.ts'
import { failedTurn } from './failed-turn.ts'
import { hearsBy } from './hearing.ts'
import { openTurn } from './said.ts'
import { SURE_UNHEARD, screenChange, turnIsOver } from './screen-change.ts'
import { type ScreenSeen, seenAfter } from './screen-seen.ts'
import { showTask } from './show-task.ts'
import { type Look, typeNext } from './type-next.ts'
import { refresh } from './watch-task.ts'

/** True when it should be looked at again soon, though nothing new was drawn. */
export async function lookAtScreen(watch: Watch, activeAt: number, core: Core): Promise<boolean> {
  const { task, run } = watch
  if (run.state !== 'live' || core.watched.get(task.id) !== watch) return false
  const view = await core.terminal.look(tmuxSessionName(task.id), run.id)
  if (view === undefined) return false
  const driver = driverOf(task, core)
  const reading = withStatus(driver.readScreen(view), watch, await core.handoff.env(task), driver, core)
  const seen = seenAfter(watch.screen, reading, task, activeAt)
  watch.screen = seen
  const inputs = await core.store.inputs(task.id)
  const look = { view, reading, inputs, open: await core.store.openQuestions(task.id) }
  await keepSession(reading, watch, driver, core)
  await store(look, seen, watch, driver, core)
  const typing = hearsBy(watch.task, driver) === 'keys' && (await typeNext(look, watch, driver, core))
  return typing || seen.looks <= SURE_UNHEARD
}

/** The agent's own word on its state is better than its picture, where the picture tells nothing. */
function withStatus(
  reading: ScreenReading,
  { run }: Watch,
  env: Readonly<Record<string, string>>,
  { status }: AgentDriver,
  core: Core,
): ScreenReading {
  if (status === undefined || run.pid === null || reading.phase !== 'unknown') return reading
  const text = core.places.peek(status.path(run.pid, env))
  if (text === undefined) return reading
  return { ...reading, phase: status.read(text), evidence: 'its status file' }
}

/** Some tell their session on the screen alone. */
async function keepSession(
  { session }: ScreenReading,
  watch: Watch,
  driver: AgentDriver,
  core: Core,
): Promise<void> {
  const { task, run } = watch
  if (session === undefined || session === task.sessionId || !driver.sessionIdPattern.test(session)) return
  await core.store.recordReading({ ...nothingNew(watch), outputLength: run.outputLength, sessionId: session })
  await refresh(watch, core)
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
  { reading, inputs, open, view }: Look,
  seen: ScreenSeen,
  watch: Watch,
  driver: AgentDriver,
  core: Core,
): Promise<void> {
  const { task, run } = watch
  const turn = openTurn(inputs, run.id)
  const sight = {
    reading,
    seen,
    turn,
    told: driver.can.terminal?.tells === 'events',
  }
  const over = turnIsOver(sight, task)
  const failed = over ? await failedByScreen(reading, watch, driver, core) : undefined
  const change = failed ?? screenChange(sight, watch, open, core.clock.now())
  if (change === undefined) return
  if (over)
    await core.store.recordReading(await endOfTurn(turn, reading, view, sight.told, watch, core), change)
  else await core.store.record(change)
  await refresh(watch, core)
  if (failed !== undefined) core.wakeAt(core.clock.now())
  // There may be a rule that answers it.
  if (change.question !== undefined) core.poke(task.id)
  await showTask(watch.task, core)
}

/** A picture is weaker than a word: a limit on it holds this task alone. */
async function failedByScreen(
  { phase, evidence, limit }: ScreenReading,
  watch: Watch,
  driver: AgentDriver,
  core: Core,
): Promise<Change | undefined> {
  if (phase !== 'limit' && phase !== 'error') return undefined
  const failure = phase === 'limit' ? 'limit' : driver.readStderr(evidence)
  const until = limit?.until ? resetTime(limit.until, core.clock.now()) : null
  return failedTurn(watch, { failure, words: evidence, limitedUntil: until, isTold: false }, core)
}

/** What the agent does not tell, the screen stands for; an interrupted turn did not end well. */
async function endOfTurn(
  turn: Input | undefined,
  reading: ScreenReading,
  view: PaneView,
  told: boolean,
  watch: Watch,
  core: Core,
): Promise<Reading> {
  const { task, run } = watch
  const note = told ? '' : `screen:\n${view.text.replace(/^/gm, '  ')}\n`
  const ok = reading.phase === 'idle' && reading.interrupted !== true
  return {
    ...nothingNew(watch),
    outputLength: await core.handoff.appendOutput(task, run.outputLength, note),
    done: turn === undefined ? [] : [turn.number],
    ...(told ? {} : { result: { ok, text: ok ? '' : reading.evidence } }),
  }
}
