// Owns the gathering of what the end of a run is judged by: its own words, its process, its task's history.

import { dueFinish } from '../../delivery/inputs/finish-order.ts'
import { hearsBy, staysWhenIdle } from '../../delivery/inputs/hearing.ts'
import { isPrompt, unheardPrompt, unsaidPrompts } from '../../delivery/inputs/said.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import type { FailureClass } from '../../domain/run/failure-class.ts'
import { exitCodeTells } from '../../domain/settings/custom-agents.ts'
import { type RecoveryTerms, recoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { AgentResult, Input, Run, Task } from '../../domain/task/task.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import { driverOf } from '../../ports/driver-of.ts'
import type { ExitRecord } from '../../ports/run-files.ts'
import type { ConversationReads, Reads } from '../../ports/store.ts'
import { amongOthers } from '../recovering/among-others.ts'
import { failuresAsCanary } from '../recovering/canary.ts'
import type { EndFacts } from '../recovering/decide-end.ts'
import { goOnAfter } from '../recovering/go-on-after.ts'
import type { Core, Watch } from '../task/core.ts'
import type { Observation } from '../watching/decide.ts'
import { isLostSession } from '../watching/lost-session.ts'
import { endOf, workedSoFar } from '../watching/observe.ts'
import { howTerminalEnded, type TerminalEnd, terminalEvidence } from './how-terminal-ended.ts'
import type { EndingNeeds } from './needs.ts'
import { isStanding, retriesSince, standingFacts } from './standing-facts.ts'

const STDERR_TAIL_BYTES = 4000

export async function endFacts(watch: Watch, seen: Observation, core: EndingNeeds): Promise<EndFacts> {
  const { task, run } = watch
  const { store, clock, config } = core
  const driver = driverOf(task, core)
  const now = clock.now()
  const terms = task.snapshot.recovery ?? recoveryTerms(config)
  const runs = await store.runsOf(task.id)
  const inputs = await store.inputs(task.id)
  const stderr = await core.runFiles.stderrTail(run.id, STDERR_TAIL_BYTES)
  const fate = await howTerminalEnded(watch, seen, core)
  const isUnsaid = unsaidPrompts(inputs).length > 0
  const unheard = unheardPrompt(inputs, task, run, driver)
  const result =
    isStanding(task) || isOutOfTurn(task, seen, { fate, isUnsaid }, terms) || unheard !== undefined
      ? null
      : (resultOf(task, run, seen) ?? earlierResult(run, seen, runs, inputs))
  const sessionIsLost = isLostSession(run, [stderr, run.result?.text ?? ''], driver)
  const failure = failureOf(run, result, sessionIsLost, seen, stderr, driver)
  const retries = retriesSince(task, run)
  return {
    stop: task.stop,
    restart: task.restart,
    finishBy: dueFinish(task, inputs)?.by ?? null,
    mode: task.mode,
    result,
    mustVerify: task.snapshot.verify !== undefined,
    ending: result?.ok
      ? goodEnd(run)
      : withLastWords(endWords(seen, fate, unheard), result, seen.exit, stderr),
    evidence: [...evidenceOf(seen, run, failure), ...terminalEvidence(fate), ...orderIn(task)],
    failure,
    limitedUntil: run.limitedUntil,
    limitIsTold: task.mode === 'headless' || driver.can.terminal?.tells === 'events',
    asks: await openQuestion(task, driver, core),
    left: seen.exit !== undefined && seen.exit.signal === null,
    byPerson: isStanding(task) ? null : await byPerson(watch, seen, fate, core),
    takenBy: takenBy(seen, fate),
    session: sessionOf(task, runs),
    sessionIsLost,
    goOn: goOnAfter({ task, runs, inputs, driver, sessionIsLost }),
    standing: standingFacts(
      { task, runs, inputs, driver, sessionIsLost },
      run,
      now - terms.loopWindowMs,
      config,
    ),
    retries,
    deaths: isCrash(failure)
      ? Math.min(retries + 1, deathsWithoutProgress(runs, run, now - terms.loopWindowMs))
      : 0,
    ...(await amongOthers(watch, runs, failure, now - terms.loopWindowMs, core)),
    breakerFailures: config['breaker.failures'],
    endedAt: endOf(run, seen.exit, now),
    workedMs: workedSoFar(watch, core, seen.exit),
    failuresAsCanary: await failuresAsCanary(task, run, core),
    terms,
    parkEnabled: config['park.enabled'],
    now,
    jitter: core.ids.chance(),
  }
}

/** One that stays when its turn is over has not finished because it was killed, or went down with its terminal: it comes back, and waits. Nor has one that was left in the middle of a turn, or before it was told what waits for it. */
const isOutOfTurn = (
  task: Task,
  { exit }: Observation,
  { fate, isUnsaid }: { readonly fate: TerminalEnd; readonly isUnsaid: boolean },
  { retries }: RecoveryTerms,
) =>
  staysWhenIdle(task) &&
  ((exit?.code !== 0 && retries > 0) ||
    (task.mode === 'interactive' && (task.phase !== 'idle' || fate !== 'stays' || isUnsaid)))

/** Of an agent that can be answered while it lives, a question goes with its run. */
async function openQuestion(
  task: Task,
  driver: AgentDriver,
  { store }: Reads<ConversationReads>,
): Promise<string | null> {
  if (task.status !== 'waiting_input' || hearsBy(task, driver) !== 'nothing') return null
  const open = await store.openQuestions(task.id)
  return open.find((one) => !isOwnQuestion(one) && one.answer === null)?.text ?? null
}

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
  if (result === null && isByFullDisk(exit)) return 'environment'
  if (result !== null || exit === undefined || exit.signal !== null) return null
  return CANNOT_START.has(exit.code) && run.eventsOffset === 0 ? 'permanent' : driver.readStderr(stderr)
}
const CANNOT_START: ReadonlySet<number | null> = new Set([126, 127])

const goodEnd = ({ result }: Run) => (result === null ? 'exited with code 0' : 'the agent finished')

function endWords({ exit, otherBoot }: Observation, fate: TerminalEnd, unheard: Input | undefined): string {
  if (exit === undefined)
    return otherBoot
      ? 'the machine was restarted while it ran'
      : 'its process vanished without an exit record'
  if (isByFullDisk(exit)) return `the disk was full when it ended (${howItEnded(exit)})`
  if (fate === 'cut_off') return 'it was cut off from its terminal'
  if (exit.signal !== null) return `${howItEnded(exit)} before it finished`
  if (exit.code === 0 && unheard !== undefined) return `it ended before it got prompt ${unheard.number}`
  return exit.code === 0 ? 'exited with code 0, but without a result' : howItEnded(exit)
}

const howItEnded = ({ code, signal }: ExitRecord) =>
  signal === null ? `exited with code ${code}` : `killed by SIG${signal}`

/** By somebody else: what it said last does not tell why. */
const FROM_OUTSIDE: ReadonlySet<string | null> = new Set(['KILL', 'TERM', 'INT', 'HUP'])

/** It ended by itself while its exit record could not be written: it could not write its own files either. */
const isByFullDisk = (exit: ExitRecord | undefined) => exit?.late === true && !FROM_OUTSIDE.has(exit.signal)

/** A crash is told with what it said last on stderr. */
function withLastWords(
  ending: string,
  result: AgentResult | null,
  exit: Observation['exit'],
  stderr: string,
): string {
  const last = stderr.trim().split('\n').at(-1)?.trim() ?? ''
  const tells = result === null && last !== '' && !FROM_OUTSIDE.has(exit?.signal ?? null)
  return tells ? `${ending}: ${redactSecrets(last).slice(0, 300)}` : ending
}

function evidenceOf({ exit, otherBoot }: Observation, run: Run, failure: FailureClass | null): Evidence[] {
  const end =
    exit === undefined
      ? saw('process', otherBoot ? 'started before the last boot' : 'process gone, no exit record')
      : saw('exit_record', recordFact(exit))
  const said = run.result === null ? [] : [saw('agent', `result: ${run.result.ok ? 'ok' : 'not ok'}`)]
  const why = run.failure === null ? 'process' : 'agent'
  return [end, ...said, ...(failure === null ? [] : [saw(why, `failure: ${failure}`)])]
}

const recordFact = ({ code, signal, late }: ExitRecord) =>
  `${signal === null ? `code ${code}` : `signal ${signal}`}${late ? ', written late: the disk was full' : ''}`

/** Somebody had it ended, to go on otherwise: that is no death. */
const orderIn = ({ restart }: Task): Evidence[] =>
  restart === null || restart.kind === 'stuck' || restart.kind === 'deaf'
    ? []
    : [saw('person', `${restart.kind} was ordered`)]

/** A task that a person stopped stays stopped, whatever ends its process later. */
async function byPerson(
  watch: Watch,
  seen: Observation,
  fate: TerminalEnd,
  core: Pick<Core, 'runFiles'>,
): Promise<string | null> {
  const ended = await endedByPerson(watch, seen, fate, core)
  return ended ?? (watch.task.phase === 'stopped_by_person' ? INTERRUPTED : null)
}

const INTERRUPTED = 'interrupted in its terminal'

/** Only on proof: a terminal that was closed while its server lives, or one that ended by itself and in order in a terminal that stays. Without a terminal, the window's word counts. */
async function endedByPerson(
  { run, ending }: Watch,
  { exit, otherBoot }: Observation,
  fate: TerminalEnd,
  core: Pick<Core, 'runFiles'>,
): Promise<string | null> {
  if (ending || otherBoot) return null
  if (await core.runFiles.interrupted(run.id)) return 'interrupted in its window'
  if (fate === 'closed') return 'its terminal was closed'
  if (fate !== 'stays') return null
  if (exit?.signal === 'INT') return INTERRUPTED
  return exit?.code === 0 ? 'quit in its terminal' : null
}

function takenBy({ exit, otherBoot }: Observation, fate: TerminalEnd): EndFacts['takenBy'] {
  if (otherBoot) return 'reboot'
  if (fate === 'server_died') return 'terminal'
  return fate === 'unknown' && exit?.hangup === true ? 'unseen' : null
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
