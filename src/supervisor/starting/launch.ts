// Owns starting a run: the run is stored first, then its directory is written, then its pane is opened.

import { moveTask } from '../../changes/move-task.ts'
import { converses, hearingOf } from '../../delivery/inputs/hearing.ts'
import { fillSessionId } from '../../domain/conversation/layout-prompt.ts'
import { type ErrorCode, isHoldfastError, messageOf } from '../../domain/errors.ts'
import { asRunId, type RunId } from '../../domain/names/ids.ts'
import { placeOfRuntime } from '../../domain/runtime/names.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Run } from '../../domain/task/run.ts'
import type { QueuedState } from '../../domain/task/state.ts'
import type { QueuedTask, Task, TaskSummary } from '../../domain/task/task.ts'
import type { LaunchPlan, McpServer } from '../../ports/run/agent-driver.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { Hearing } from '../../ports/run/run-files.ts'
import { LaunchUncertain } from '../../ports/run/terminal.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { Reads } from '../../ports/store/store.ts'
import { failLaunch, resolveLaunchClaim } from '../ending/resolve-launch-claim.ts'
import { markStart, WAYS } from '../ending/run-marks.ts'
import { canTellHearing } from '../recovering/go-on-after.ts'
import type { Core, Watch } from '../task/core.ts'
import { sweep } from '../task/end-run.ts'
import { promptOf } from '../task/prompt-of.ts'
import { watchRunFiles, watchTask } from '../task/watch-task.ts'
import type { StartingNeeds } from './needs.ts'

/** Errors of the machine, not of the task: the task waits in the queue until they are over. */
const MACHINE_TROUBLE: readonly ErrorCode[] = [
  'TMUX_UNAVAILABLE',
  'TMUX_MISSING',
  'DISK_FULL',
  'HOME_NOT_WRITABLE',
  'HOME_UNSAFE',
  'STORE_LOCKED',
  'STORE_UNREACHABLE',
]

export const isMachineTrouble = (error: unknown) =>
  error instanceof LaunchUncertain || isHoldfastError(error, ...MACHINE_TROUBLE)

type Queued = Task & QueuedState

/**
 * `next`: the task was launched, or cannot be for a reason of its own: the next one in the queue has its turn. `blocked`:
 * something outside the task, such as tmux or the disk, prevents the launch.
 */
export type LaunchOutcome = 'next' | 'blocked'

export async function launch(queued: QueuedTask, core: StartingNeeds): Promise<LaunchOutcome> {
  core.runFiles.checkPlace()
  const earlier = (await core.store.runsOf(queued.id)).at(-1)
  if (earlier !== undefined && !(await isClear(queued, earlier, core))) return 'next'
  const runId = asRunId(core.ids.run())
  const at = core.clock.now()
  const number = (earlier?.number ?? 0) + 1
  const task = await core.store.task(queued.id)
  // The task was ended or moved meanwhile: the next one in the queue has its turn.
  if (task?.phase !== 'queued') return 'next'
  const plan = await planOf(task, runId, core)
  const hearing = hearingOf(task, driverOf(task, core))
  const { goOn } = task
  const how = goOn?.how ?? 'start'
  await core.commitSoon({
    newRun: {
      id: runId,
      taskId: queued.id,
      number,
      createdAt: at,
      how,
      told: goOn?.say ?? null,
      outputLength: await markStart(task, earlier, goOn, core),
      inputLength: hearing === 'once' ? 0 : Buffer.byteLength(plan.stdin),
    },
    ...(hearing === 'once' ? {} : await wordsFor(task, earlier, at, core)),
    ...(hearing === 'once' || earlier === undefined
      ? {}
      : { fallBack: { ...(await takesPlaceOf(earlier, at, core)), how } }),
    task: moveTask({
      id: queued.id,
      from: 'pending',
      event: 'launched',
      reason: `run ${number}${goOn === null ? '' : `: ${WAYS[goOn.how]}`}`,
      evidence: [saw('store', 'next in the queue, a slot is free'), ...withoutWindow(hearing, core)],
      at,
      // A session id that we chose is stored before the agent can use it.
      set: { runId, startedAt: queued.startedAt ?? at, sessionId: resumed(task) ?? plan.sessionId },
    }),
    ...(queued.startedAt === null ? { audit: firstStart(task, at) } : {}),
  })
  const watch = await watchTask(queued.id, runId, core)
  return start(watch, plan, core)
}

/** What waited for the run before is told to this one. */
async function takesPlaceOf(
  { taskId, id: runId, number, state, createdAt }: Run,
  at: number,
  { store }: Reads<RuntimeReads>,
): Promise<Omit<NonNullable<Change['fallBack']>, 'how'>> {
  const runtime = await store.runtimeOfTask(taskId)
  const moves = runtime === undefined ? [] : await store.runtimeTransitions(runtime.id, RECENT_MOVES)
  const wasGone = moves.some((move) => move.event === 'pane_missing' && move.at >= createdAt)
  const fact = `run ${number} is ${state}; run ${number + 1} takes its place`
  return {
    taskId,
    runId,
    at,
    code: wasGone ? 'REGISTRY_DRIFT' : 'PANE_DEAD',
    evidence: [saw('process', fact), ...(wasGone ? [saw('tmux', 'its pane was gone')] : [])],
  }
}
/** More than a runtime makes between the loss of its pane and its next start. */
const RECENT_MOVES = 10

/** A run that needs no terminal does not wait for tmux. */
const withoutWindow = (hearing: Hearing, { terminal }: Pick<Core, 'terminal'>): Evidence[] =>
  hearing === 'terminal' || terminal.health() === 'up'
    ? []
    : [saw('tmux', 'tmux does not work: it starts without a window')]

const firstStart = ({ id }: Task, at: number): AuditEntry => ({
  at,
  kind: 'task_started',
  taskId: id,
  actor: 'holdfast',
  detail: 'CREATED → RUNNING',
})

const resumed = ({ goOn, sessionId }: Queued) => (goOn?.how === 'resume' ? sessionId : null)

/** Never two agents on one task: as long as a process of the last run lives, the next run does not start. */
async function isClear({ id }: TaskSummary, earlier: Run, core: StartingNeeds): Promise<boolean> {
  const isSwept = core.swept.delete(earlier.id) || (await sweep(earlier.id, core)).isClear
  if (!isSwept) return false
  // While tmux does not answer, the old pane stays; it is closed when tmux answers again.
  if (core.terminal.health() === 'up') await core.terminal.close(id, earlier.id).catch(whenUnavailable)
  return true
}

function whenUnavailable(error: unknown): void {
  if (!isHoldfastError(error, 'TMUX_UNAVAILABLE')) throw error
}

/** Prompts that the last run never heard are said again. An agent that goes on is told so first. */
async function wordsFor(
  task: Queued,
  earlier: Run | undefined,
  at: number,
  core: Pick<Core, 'driver'> & Reads<ConversationReads>,
): Promise<Pick<Change, 'input' | 'unsay' | 'reword'>> {
  const inputs = await core.store.inputs(task.id)
  const { goOn } = task
  // When a task begins anew, `say` contains its first prompt; what somebody sent to a runtime is none.
  const hasFirst =
    inputs[0]?.triggerId === null && goOn !== null && goOn.how !== 'resume' && goOn.say !== null
  const from = hasFirst ? 2 : 1
  const isUnheard = earlier !== undefined && canTellHearing(task, earlier, driverOf(task, core))
  const unsay = isUnheard ? { unsay: { taskId: task.id, runId: earlier.id, from } } : {}
  if (goOn === null) return inputs.length === 0 ? firstPrompt(task, at, core) : unsay
  if (goOn.say === null) return unsay
  const queued = inputs.find(({ kind, saidAt }) => kind === 'continuation' && saidAt === null)
  // A continuation that the last run did not live to hear may not be true for this run: its text is replaced.
  if (queued?.by === 'holdfast')
    return { ...unsay, reword: { taskId: task.id, number: queued.number, text: goOn.say } }
  // A continuation by a person waits already, and is enough to go on.
  if (queued !== undefined && goOn.how === 'resume') return unsay
  return { ...unsay, input: { taskId: task.id, kind: 'continuation', text: goOn.say, by: 'holdfast', at } }
}

/** A runtime may have been given none. */
function firstPrompt(task: Task, at: number, core: Pick<Core, 'driver'>): Pick<Change, 'input'> {
  const text = promptOf(task, driverOf(task, core))
  return text === '' ? {} : { input: { taskId: task.id, kind: 'prompt', text, by: task.createdBy, at } }
}

/** Uses only the task's snapshot: a changed config, role or prompt file does not reach a task that exists. */
async function planOf(
  task: Queued,
  runId: RunId,
  core: Pick<Core, 'config' | 'driver' | 'handoff' | 'ids' | 'mcpServer' | 'places' | 'runFiles'>,
): Promise<LaunchPlan> {
  const driver = driverOf(task, core)
  const { snapshot } = task
  const persona = driver.can.personaFlag ? snapshot.persona : null
  return driver.launch({
    mode: task.mode,
    converse: converses(task, driver),
    model: task.model,
    prompt: task.goOn?.say ?? promptOf(task, driver),
    persona: persona === null ? null : fillSessionId(persona, task.id),
    dir: task.dir,
    permission: snapshot.permission,
    extraDirs: snapshot.extraDirs,
    mcp: serversFor(task, core),
    sessionId: core.ids.random(),
    resume: resumed(task),
    filesDir: core.runFiles.filesDir(runId),
    inputFile: core.runFiles.inputFile(runId),
    eventsFile: core.runFiles.eventsFile(runId),
    env: await core.handoff.env(task),
    peek: core.places.peek,
  })
}

/** The tools of Holdfast, for an agent that can have them. */
function serversFor(task: Task, core: Pick<Core, 'config' | 'driver' | 'mcpServer'>): readonly McpServer[] {
  const isGiven = core.config['bridge.mcp'] && driverOf(task, core).can.mcp
  return isGiven && core.mcpServer !== null ? [core.mcpServer] : []
}

async function start(watch: Watch, plan: LaunchPlan, core: StartingNeeds): Promise<LaunchOutcome> {
  try {
    await startShim(watch, plan, core)
    core.requestLook(watch.task.id)
    return 'next'
  } catch (error) {
    core.log.warn('launch failed', { task: watch.task.id, run: watch.run.id, error: messageOf(error) })
    if (isMachineTrouble(error)) {
      await resolveLaunchClaim(watch, messageOf(error), core)
      return 'blocked'
    }
    await failLaunch(watch, error, core)
    return 'next'
  }
}

async function startShim(
  watch: Watch,
  plan: LaunchPlan,
  core: Pick<
    Core,
    | 'apart'
    | 'config'
    | 'driver'
    | 'handoff'
    | 'mcpServer'
    | 'requestLook'
    | 'runFiles'
    | 'terminal'
    | 'tokens'
  >,
): Promise<void> {
  const { task, run } = watch
  const paths = core.handoff.paths(task)
  const hearing = hearingOf(task, driverOf(task, core))
  const token = await core.tokens.issue(run.id, task.id)
  watch.tokenExpires = token.expires
  const argv = await core.runFiles.prepare({
    runId: run.id,
    taskId: task.id,
    argv: plan.argv,
    cwd: task.dir,
    hearing,
    stdin: plan.stdin,
    files: plan.files,
    env: { ...(await core.handoff.env(task)), ...plan.env },
    outputLog: paths.outputLog,
    sessionDir: paths.view,
    token: token.text,
    isBridged: serversFor(task, core).length > 0,
  })
  watchRunFiles(watch, core)
  const startApart = () => core.apart.start(core.runFiles.apartArgv(run.id, plan.argv), task.dir)
  const open = () =>
    core.terminal.open({
      task: task.id,
      mark: run.id,
      argv,
      cwd: task.dir,
      size: hearing === 'terminal' ? 'fixed' : 'viewer',
      place: placeOfRuntime(task.runtime),
    })
  if (hearing === 'terminal') await open()
  else if (core.terminal.health() !== 'up') await startApart()
  // TMUX_UNAVAILABLE proves that nothing was started. A headless run needs no window, and gets one when tmux is back.
  else
    await open().catch((error) =>
      isHoldfastError(error, 'TMUX_UNAVAILABLE') ? startApart() : Promise.reject(error),
    )
}
