// Owns starting a run: stored first, then the run directory, then the pane.

import { type ErrorCode, isHoldfastError, messageOf } from '../domain/errors.ts'
import { saw } from '../domain/evidence.ts'
import { asRunId, type RunId } from '../domain/ids.ts'
import { fillSessionId, layoutPrompt } from '../domain/layout-prompt.ts'
import { tmuxSessionName } from '../domain/names.ts'
import type { Task, TaskSummary } from '../domain/task.ts'
import type { AgentDriver, LaunchPlan } from '../ports/agent-driver.ts'
import type { InputDraft } from '../ports/store.ts'
import { LaunchUncertain } from '../ports/terminal.ts'
import type { Core, Watch } from './core.ts'
import { driverOf } from './driver-of.ts'
import { converses, hearingOf } from './hearing.ts'
import { failLaunch, settleClaim } from './settle-claim.ts'
import { showTask } from './show-task.ts'
import { watchTask } from './watch-task.ts'

/** The world is in the way, not the task: it waits in the queue until that is over. */
const ENVIRONMENT: readonly ErrorCode[] = [
  'TMUX_UNAVAILABLE',
  'TMUX_MISSING',
  'DISK_FULL',
  'HOME_NOT_WRITABLE',
  'STORE_LOCKED',
  'STORE_UNREACHABLE',
]

export const isInTheWay = (error: unknown) =>
  error instanceof LaunchUncertain || isHoldfastError(error, ...ENVIRONMENT)

/** Returns false when the world is in the way. */
export async function launch(queued: TaskSummary, core: Core): Promise<boolean> {
  const earlier = (await core.store.runsOf(queued.id)).at(-1)
  const runId = asRunId(core.ids.run())
  const at = core.clock.now()
  const number = (earlier?.number ?? 0) + 1
  const task = (await core.store.task(queued.id))!
  const plan = await planOf(task, runId, core)
  const hearing = hearingOf(task, driverOf(task, core))
  await core.store.record({
    newRun: {
      id: runId,
      taskId: queued.id,
      number,
      createdAt: at,
      how: 'start',
      outputLength: earlier?.outputLength ?? 0,
      inputLength: hearing === 'once' ? 0 : Buffer.byteLength(plan.stdin),
    },
    ...(hearing === 'once' || (await isTold(task, core)) ? {} : { input: firstPrompt(task, at, core) }),
    task: {
      id: queued.id,
      from: 'pending',
      event: 'launched',
      reason: `run ${number}`,
      evidence: [saw('store', 'next in the queue, a slot is free')],
      at,
      // An id that we chose is stored before the agent can use it.
      set: { runId, startedAt: queued.startedAt ?? at, sessionId: plan.sessionId },
    },
  })
  const watch = await watchTask(queued.id, runId, core)
  return start(watch, plan, core)
}

/** A launch that never happened queued it already; so did an earlier run. */
const isTold = async ({ id }: Task, core: Core) => (await core.store.inputs(id)).length > 0

function firstPrompt(task: Task, at: number, core: Core): InputDraft {
  const text = promptOf(task, driverOf(task, core))
  return { taskId: task.id, kind: 'prompt', text, by: task.createdBy, at }
}

const promptOf = ({ id, snapshot }: Task, { can }: AgentDriver) =>
  layoutPrompt(id, can.personaFlag ? { ...snapshot, persona: null } : snapshot)

/** Everything from the snapshot: a changed config, role or prompt file does not reach a task that exists. */
async function planOf(task: Task, runId: RunId, core: Core): Promise<LaunchPlan> {
  const driver = driverOf(task, core)
  const { snapshot } = task
  const persona = driver.can.personaFlag ? snapshot.persona : null
  return driver.launch({
    mode: task.mode,
    converse: converses(task, driver),
    model: task.model,
    prompt: promptOf(task, driver),
    persona: persona === null ? null : fillSessionId(persona, task.id),
    dir: task.dir,
    permission: snapshot.permission,
    extraDirs: snapshot.extraDirs,
    mcp: [],
    sessionId: core.ids.random(),
    resume: null,
    filesDir: core.runFiles.filesDir(runId),
    inputFile: core.runFiles.inputFile(runId),
    eventsFile: core.runFiles.eventsFile(runId),
    env: await core.handoff.env(task),
    peek: core.places.peek,
  })
}

async function start(watch: Watch, plan: LaunchPlan, core: Core): Promise<boolean> {
  try {
    await openPane(watch, plan, core)
    await showTask(watch.task, core)
    core.poke(watch.task.id)
    return true
  } catch (error) {
    core.log.warn('launch failed', { task: watch.task.id, run: watch.run.id, error: messageOf(error) })
    const inTheWay = isInTheWay(error)
    if (inTheWay) await settleClaim(watch, messageOf(error), core)
    else await failLaunch(watch, error, core)
    return !inTheWay
  }
}

async function openPane({ task, run }: Watch, plan: LaunchPlan, core: Core): Promise<void> {
  const paths = core.handoff.paths(task)
  const hearing = hearingOf(task, driverOf(task, core))
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
  })
  await core.terminal.open({
    name: tmuxSessionName(task.id),
    mark: run.id,
    argv,
    cwd: task.dir,
    size: hearing === 'terminal' ? 'fixed' : 'viewer',
  })
}
