// Owns the gathering of what the end of a run is judged by: its own words, its process, its task's history.
import { exitCodeTells } from '../domain/custom-agents.ts'
import { type Evidence, saw } from '../domain/evidence.ts'
import type { FailureClass } from '../domain/failure-class.ts'
import { type RecoveryTerms, recoveryTerms } from '../domain/recovery-terms.ts'
import type { AgentResult, Input, Run, Task } from '../domain/task.ts'
import type { AgentDriver } from '../ports/agent-driver.ts'
import type { Core, Watch } from './core.ts'
import type { Observation } from './decide.ts'
import { driverOf } from './driver-of.ts'
import { goOnAfter } from './go-on-after.ts'
import { staysWhenIdle } from './hearing.ts'
import { isLostSession } from './lost-session.ts'
import { workedSoFar } from './observe.ts'
import type { EndFacts } from './recovery.ts'
import { isPrompt } from './said.ts'

const STDERR_TAIL_BYTES = 4000

export async function endFacts(watch: Watch, seen: Observation, core: Core): Promise<EndFacts> {
  const { task, run } = watch
  const { store, clock, config } = core
  const driver = driverOf(task, core)
  const now = clock.now()
  const terms = task.snapshot.recovery ?? recoveryTerms(config)
  const runs = await store.runsOf(task.id)
  const inputs = await store.inputs(task.id)
  const stderr = await core.runFiles.stderrTail(run.id, STDERR_TAIL_BYTES)
  const result = isOutOfTurn(task, seen, terms)
    ? null
    : (resultOf(task, run, seen) ?? earlierResult(run, seen, runs, inputs))
  const sessionIsLost = isLostSession(run, [stderr, run.result?.text ?? ''], driver)
  const failure = failureOf(run, result, sessionIsLost, seen, stderr, driver)
  const retries = run.progress > 0 ? 0 : task.retries
  return {
    stop: task.stop,
    restart: task.restart,
    mode: task.mode,
    result,
    mustVerify: task.snapshot.verify !== undefined,
    ending: result?.ok ? goodEnd(run) : withLastWords(endWords(seen), result, seen.exit, stderr),
    evidence: evidenceOf(seen, run, failure),
    failure,
    limitedUntil: run.limitedUntil,
    limitIsTold: task.mode === 'headless' || driver.can.terminal?.tells === 'events',
    byPerson: await byPerson(watch, seen, core),
    takenBy: takenBy(watch, seen, core),
    session: sessionOf(task, runs),
    sessionIsLost,
    goOn: goOnAfter({ task, runs, inputs, driver, sessionIsLost }),
    retries,
    deaths: isCrash(failure)
      ? Math.min(retries + 1, deathsWithoutProgress(runs, run, now - terms.loopWindowMs))
      : 0,
    likeFailures: failure === null ? 0 : await likeFailures(watch, failure, now - terms.loopWindowMs, core),
    breakerFailures: config['breaker.failures'],
    workedMs: workedSoFar(watch, core),
    terms,
    parkEnabled: config['park.enabled'],
    now,
    jitter: core.ids.chance(),
  }
}

/** One that stays when its turn is over has not finished because it was killed: it comes back, and waits. Nor has one that a person left in the middle of a turn. */
const isOutOfTurn = (task: Task, { exit }: Observation, { retries }: RecoveryTerms) =>
  staysWhenIdle(task) &&
  ((exit?.code !== 0 && retries > 0) || (task.mode === 'interactive' && task.phase !== 'idle'))

/** Exit 0 without a result is not success, unless that is all an agent can say. */
function resultOf(task: Task, run: Run, { exit }: Observation): AgentResult | null {
  if (run.result !== null || !exitCodeTells(task.snapshot.customAgent) || exit?.code !== 0) return run.result
  return task.status === 'waiting_input'
    ? { ok: false, text: 'exited with its question unanswered' }
    : { ok: true, text: '' }
}

/** It came back with its last turn finished, and left because no more will come: what it said in its earlier life counts. */
function earlierResult(
  { id }: Run,
  { exit }: Observation,
  runs: readonly Run[],
  inputs: readonly Input[],
): AgentResult | null {
  const isDone = (input: Input) =>
    !isPrompt(input) || input.doneAt !== null || (input.saidAt !== null && input.runId !== id)
  if (exit?.code !== 0 || !inputs.some(({ kind }) => kind === 'end') || !inputs.every(isDone)) return null
  return runs.findLast(({ result }) => result !== null)?.result ?? null
}

/** Its own word, or what stderr tells. Who was killed has not failed; a program that cannot be started never will. */
function failureOf(
  run: Run,
  result: AgentResult | null,
  sessionIsLost: boolean,
  { exit }: Observation,
  stderr: string,
  driver: AgentDriver,
): FailureClass | null {
  if (result?.ok) return null
  // No person can bring it back: it is begun anew.
  if (sessionIsLost) return 'crash'
  if (run.failure !== null) return run.failure
  if (result !== null || exit === undefined || exit.signal !== null) return null
  return CANNOT_START.has(exit.code) && run.eventsOffset === 0 ? 'permanent' : driver.readStderr(stderr)
}
const CANNOT_START: ReadonlySet<number | null> = new Set([126, 127])

const goodEnd = ({ result }: Run) => (result === null ? 'exited with code 0' : 'the agent finished')

function endWords({ exit, otherBoot }: Observation): string {
  if (exit === undefined)
    return otherBoot ? 'the machine was restarted under it' : 'its process vanished without an exit record'
  if (exit.signal !== null) return `killed by SIG${exit.signal} before it finished`
  return exit.code === 0 ? 'exited with code 0, but without a result' : `exited with code ${exit.code}`
}

/** By somebody else: what it said last does not tell why. */
const FROM_OUTSIDE: ReadonlySet<string | null> = new Set(['KILL', 'TERM', 'INT', 'HUP'])

/** A crash is told with what it said last on stderr. */
function withLastWords(
  ending: string,
  result: AgentResult | null,
  exit: Observation['exit'],
  stderr: string,
): string {
  const last = stderr.trim().split('\n').at(-1)?.trim() ?? ''
  const tells = result === null && last !== '' && !FROM_OUTSIDE.has(exit?.signal ?? null)
  return tells ? `${ending}: ${last.slice(0, 300)}` : ending
}

function evidenceOf({ exit, otherBoot }: Observation, run: Run, failure: FailureClass | null): Evidence[] {
  const end =
    exit === undefined
      ? saw('process', otherBoot ? 'started before the last boot' : 'process gone, no exit record')
      : saw('exit_record', exit.signal === null ? `code ${exit.code}` : `signal ${exit.signal}`)
  const said = run.result === null ? [] : [saw('agent', `result: ${run.result.ok ? 'ok' : 'not ok'}`)]
  const why = run.failure === null ? 'process' : 'agent'
  return [end, ...said, ...(failure === null ? [] : [saw(why, `failure: ${failure}`)])]
}

/** In its terminal, one that leaves by itself and in order was told to; one whose terminal is gone, too. Without one, only the window's word counts. */
async function byPerson({ task, run, ending }: Watch, seen: Observation, core: Core): Promise<string | null> {
  if (ending || seen.otherBoot) return null
  if (await core.runFiles.interrupted(run.id)) return 'interrupted in its window'
  if (task.mode !== 'interactive' || isServerGone(run, core)) return null
  if (await isPaneGone(run, core)) return 'its terminal was closed'
  if (seen.exit?.signal === 'INT') return 'interrupted in its terminal'
  return seen.exit?.code === 0 ? 'left in its terminal' : null
}

/** A dead agent's pane stays; one that a person closed does not. */
async function isPaneGone({ id }: Run, { terminal }: Core): Promise<boolean> {
  if (terminal.health() !== 'up') return false
  return !(await terminal.panes()).some(({ mark }) => mark === id)
}

function takenBy({ task, run }: Watch, { otherBoot }: Observation, core: Core): EndFacts['takenBy'] {
  if (otherBoot) return 'reboot'
  return task.mode === 'interactive' && isServerGone(run, core) ? 'terminal' : null
}

/** The server that held its terminal is another one now, or none. */
function isServerGone({ startTicks }: Run, { terminal }: Core): boolean {
  const server = terminal.server()
  return server === undefined || (startTicks !== null && server.startTicks > startTicks)
}

function sessionOf({ sessionId }: Task, runs: readonly Run[]): EndFacts['session'] {
  if (sessionId !== null) return 'known'
  return runs.some(({ sessionRefused }) => sessionRefused === 1) ? 'refused' : 'unknown'
}

/** Who tells of a cause that passes does not crash. What cost no retry is not counted either. */
const isCrash = (failure: FailureClass | null) => failure === null || failure === 'crash'

/** Counted back from this one until something was achieved. */
export function deathsWithoutProgress(runs: readonly Run[], last: Run, since: number): number {
  const ended = runs.filter(({ id, state }) => id === last.id || state === 'exited' || state === 'lost')
  const recent = ended.filter(({ id, endedAt }) => id === last.id || (endedAt ?? 0) >= since)
  const lastGood = recent.findLastIndex(({ progress }) => progress > 0)
  return recent.length - 1 - lastGood
}

/** Of all tasks of the account, until one of them achieved something. */
async function likeFailures(
  { task, run }: Watch,
  failure: FailureClass,
  since: number,
  { store }: Core,
): Promise<number> {
  if (task.account === null || run.progress > 0) return 1
  const ended = await store.endedRuns(since, task.account)
  const others = ended.filter(({ id }) => id !== run.id)
  const stop = others.findIndex(({ failure: theirs, progress }) => theirs !== failure || progress > 0)
  return 1 + (stop === -1 ? others.length : stop)
}
