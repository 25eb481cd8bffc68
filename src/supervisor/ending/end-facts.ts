// Owns gathering the facts by which the end of a run is judged: what its agent said, its process, the task's history.

import { dueFinish } from '../../delivery/inputs/finish-order.ts'
import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { unheardPrompt, unsaidPrompts } from '../../delivery/inputs/said.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import type { FailureClass } from '../../domain/run/failure-class.ts'
import { exitCodeDecides } from '../../domain/settings/custom-agents.ts'
import type { RecoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { termsOf } from '../../domain/settings/task-terms.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import { beginsTurn, type Input } from '../../domain/task/input.ts'
import type { AgentResult, Run } from '../../domain/task/run.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { Task } from '../../domain/task/task.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { ExitRecord } from '../../ports/run/run-files.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import { amongOthers } from '../recovering/among-others.ts'
import { failuresAsCanary } from '../recovering/canary.ts'
import type { EndFacts } from '../recovering/decide-end.ts'
import { goOnAfter } from '../recovering/go-on-after.ts'
import type { Core, Watch } from '../task/core.ts'
import type { Observation } from '../watching/decide.ts'
import { isLostSession } from '../watching/lost-session.ts'
import { endOf, workedSoFar } from '../watching/observe.ts'
import { carriedTrigger } from './carried-trigger.ts'
import { howTerminalEnded, type TerminalEnd, terminalEvidence } from './how-terminal-ended.ts'
import type { EndingNeeds } from './needs.ts'
import { isStanding, retriesSince, runtimeFacts } from './runtime-facts.ts'

const STDERR_TAIL_BYTES = 4000

export async function endFacts(watch: Watch, seen: Observation, core: EndingNeeds): Promise<EndFacts> {
  const { task, run } = watch
  const { store, clock, config } = core
  const driver = driverOf(task, core)
  const now = clock.now()
  const terms = termsOf(task, core)
  const runs = await store.runsOf(task.id)
  const inputs = await store.inputs(task.id)
  const stderr = await core.runFiles.stderrTail(run.id, STDERR_TAIL_BYTES)
  const terminalEnd = await howTerminalEnded(watch, seen, core)
  const isUnsaid = unsaidPrompts(inputs).length > 0
  const unheard = unheardPrompt(inputs, task, run)
  const result =
    isStanding(task) || isOutOfTurn(task, seen, { terminalEnd, isUnsaid }, terms) || unheard !== undefined
      ? null
      : (resultOf(task, run, seen) ?? earlierResult(run, seen, runs, inputs))
  const sessionIsLost = isLostSession(run, [stderr, run.result?.text ?? ''], driver)
  const failure = failureOf(run, result, sessionIsLost, seen, stderr, driver)
  const retries = retriesSince(task, run)
  // An agent that was asking at its end has begun its session (hasAsked) and had taken the first words of this run (wasAsking).
  const wasAsking = task.phase === 'asking'
  return {
    stop: task.stop,
    restart: task.restart,
    finishBy: dueFinish(task, inputs)?.by ?? null,
    mode: task.mode,
    result,
    mustVerify: task.snapshot.verify !== undefined,
    untoldChildren: result?.ok && !staysWhenIdle(task) ? (await store.untoldChildren(task.id)).length : 0,
    ending: result?.ok
      ? goodEnd(run)
      : withLastWords(endWords(seen, terminalEnd, unheard), result, seen.exit, stderr),
    evidence: [...evidenceOf(seen, run, failure), ...terminalEvidence(terminalEnd), ...restartEvidence(task)],
    failure,
    limitedUntil: run.limitedUntil,
    limitIsTold: task.mode === 'headless' || driver.can.terminal?.tells === 'events',
    asks: await openQuestion(task, driver, core),
    exitedByItself: seen.exit !== undefined && seen.exit.signal === null,
    byPerson: isStanding(task) ? null : await byPerson(watch, seen, terminalEnd, core),
    outsideCause: outsideCauseOf(seen, terminalEnd),
    session: sessionOf(task, runs),
    sessionIsLost,
    goOn: goOnAfter({ task, runs, inputs, driver, sessionIsLost, hasAsked: wasAsking, wasAsking }),
    runtime: isStanding(task)
      ? runtimeFacts(
          { task, runs, inputs, driver, sessionIsLost },
          {
            run,
            since: now - terms.loopWindowMs,
            now,
            carried: await carriedTrigger(inputs, run, core),
            lastHeartbeatAt: (await store.runtimeOfTask(task.id))?.lastHeartbeatAt ?? null,
            restartAfterMs: terms.restartAfterMs,
            config,
          },
        )
      : null,
    retries,
    // A run that ended without costing a retry does not count as a death.
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

/**
 * True when a session that stays after its turns ended at a wrong moment: it was killed, lost its terminal, or ended in
 * the middle of a turn or with prompts that it was not told. Its last result does not complete the task then.
 */
const isOutOfTurn = (
  task: Task,
  { exit }: Observation,
  { terminalEnd, isUnsaid }: { readonly terminalEnd: TerminalEnd; readonly isUnsaid: boolean },
  { retries }: RecoveryTerms,
) =>
  staysWhenIdle(task) &&
  ((exit?.code !== 0 && retries > 0) ||
    (task.mode === 'interactive' && (task.phase !== 'idle' || terminalEnd !== 'stays' || isUnsaid)))

/** The question that stays open after the run. Null for an agent that can be answered while it lives: its questions end with its run. */
async function openQuestion(
  task: Task,
  driver: AgentDriver,
  { store }: Reads<ConversationReads>,
): Promise<string | null> {
  if (task.status !== 'waiting_input' || hearsBy(task, driver) !== 'nothing') return null
  const open = await store.openQuestions(task.id)
  return open.find((one) => !isOwnQuestion(one) && one.answer === null)?.text ?? null
}

/** Exit code 0 without a result is a success only for a custom agent that tells its result by its exit code. */
function resultOf(task: Task, run: Run, { exit }: Observation): AgentResult | null {
  if (run.result !== null || !exitCodeDecides(task.snapshot.customAgent) || exit?.code !== 0)
    return run.result
  return task.status === 'waiting_input'
    ? { ok: false, text: 'exited with its question unanswered' }
    : { ok: true, text: '' }
}

/** For a run that was told nothing new and ended because no more prompts will come: the result of an earlier run counts. */
function earlierResult(
  { id }: Run,
  { exit }: Observation,
  runs: readonly Run[],
  inputs: readonly Input[],
): AgentResult | null {
  const isDone = (input: Input) =>
    !beginsTurn(input) || input.doneAt !== null || (input.saidAt !== null && input.runId !== id)
  if (exit?.code !== 0 || !inputs.some(({ kind }) => kind === 'end') || !inputs.every(isDone)) return null
  return runs.findLast(({ result }) => result !== null)?.result ?? null
}

/** Why the run failed, by the agent's own words or else by its stderr. Null for a run that was killed. A program that cannot be started is a permanent failure. */
function failureOf(
  run: Run,
  result: AgentResult | null,
  sessionIsLost: boolean,
  { exit }: Observation,
  stderr: string,
  driver: AgentDriver,
): FailureClass | null {
  if (result?.ok) return null
  // A crash is retried without a person, who could not bring the session back either.
  if (sessionIsLost) return 'crash'
  if (run.failure !== null) return run.failure
  if (result === null && isByFullDisk(exit)) return 'environment'
  if (result !== null || exit === undefined || exit.signal !== null) return null
  return CANNOT_START.has(exit.code) && run.eventsOffset === 0 ? 'permanent' : driver.readStderr(stderr)
}
/** Exit codes of a shell for a program that cannot be executed (126) or is not found (127). */
const CANNOT_START: ReadonlySet<number | null> = new Set([126, 127])

const goodEnd = ({ result }: Run) => (result === null ? 'exited with code 0' : 'the agent finished')

function endWords(
  { exit, otherBoot }: Observation,
  terminalEnd: TerminalEnd,
  unheard: Input | undefined,
): string {
  if (exit === undefined)
    return otherBoot
      ? 'the machine was restarted while it ran'
      : 'its process vanished without an exit record'
  if (isByFullDisk(exit)) return `the disk was full when it ended (${howItEnded(exit)})`
  if (terminalEnd === 'cut_off') return 'it was cut off from its terminal'
  if (exit.signal !== null) return `${howItEnded(exit)} before it finished`
  if (exit.code === 0 && unheard !== undefined) return `it ended before it got prompt ${unheard.number}`
  return exit.code === 0 ? 'exited with code 0, but without a result' : howItEnded(exit)
}

const howItEnded = ({ code, signal }: ExitRecord) =>
  signal === null ? `exited with code ${code}` : `killed by SIG${signal}`

/** Signals that somebody else sent: the agent's last words do not tell why it ended. */
const FROM_OUTSIDE: ReadonlySet<string | null> = new Set(['KILL', 'TERM', 'INT', 'HUP'])

/** True when the agent ended by itself while the disk was too full for its exit record: it could not write its own files either. */
const isByFullDisk = (exit: ExitRecord | undefined) => exit?.late === true && !FROM_OUTSIDE.has(exit.signal)

/** Adds the last line of stderr to the description of a crash. */
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

/** A person's order that the run ends and the task goes on in another way. `stuck` and `deaf` are Holdfast's own reasons. */
const restartEvidence = ({ restart }: Task): Evidence[] =>
  restart === null || restart.by === 'holdfast' ? [] : [saw('person', `${restart.kind} was ordered`)]

/** How a person ended the run; null when no person did. A task that a person stopped stays stopped, whatever ends its process later. */
async function byPerson(
  watch: Watch,
  seen: Observation,
  terminalEnd: TerminalEnd,
  core: Pick<Core, 'runFiles'>,
): Promise<string | null> {
  const ended = await endedByPerson(watch, seen, terminalEnd, core)
  return ended ?? (watch.task.phase === 'stopped_by_person' ? INTERRUPTED : null)
}

const INTERRUPTED = 'interrupted in its terminal'

/**
 * Only with proof: its terminal was closed while the tmux server lived, or it was interrupted or quit in a terminal that
 * is still there. A run without a terminal was interrupted in its window.
 */
async function endedByPerson(
  { run, ending }: Watch,
  { exit, otherBoot }: Observation,
  terminalEnd: TerminalEnd,
  core: Pick<Core, 'runFiles'>,
): Promise<string | null> {
  if (ending || otherBoot) return null
  if (await core.runFiles.interrupted(run.id)) return 'interrupted in its window'
  if (terminalEnd === 'closed') return 'its terminal was closed'
  if (terminalEnd !== 'stays') return null
  if (exit?.signal === 'INT') return INTERRUPTED
  return exit?.code === 0 ? 'quit in its terminal' : null
}

function outsideCauseOf(
  { exit, otherBoot }: Observation,
  terminalEnd: TerminalEnd,
): EndFacts['outsideCause'] {
  if (otherBoot) return 'reboot'
  if (terminalEnd === 'server_died') return 'tmux_died'
  return terminalEnd === 'unknown' && exit?.hangup === true ? 'terminal_lost' : null
}

function sessionOf({ sessionId }: Task, runs: readonly Run[]): EndFacts['session'] {
  if (sessionId !== null) return 'known'
  return runs.some(({ sessionRefused }) => sessionRefused === 1) ? 'refused' : 'unknown'
}

/** An agent that names another cause, such as a limit, did not crash. */
const isCrash = (failure: FailureClass | null) => failure === null || failure === 'crash'

/** Counts the runs since the last one that made progress, `last` included. `since`: epoch ms; runs that ended earlier do not count. */
export function deathsWithoutProgress(runs: readonly Run[], last: Run, since: number): number {
  const ended = runs.filter(({ id, state }) => id === last.id || state === 'exited' || state === 'lost')
  const recent = ended.filter(({ id, endedAt }) => id === last.id || (endedAt ?? 0) >= since)
  const lastGood = recent.findLastIndex(({ progress }) => progress > 0)
  return recent.length - 1 - lastGood
}
