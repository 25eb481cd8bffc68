// Owns starting a run: stored first, then the run directory, then the pane.

import { type ErrorCode, isHoldfastError, messageOf } from '../domain/errors.ts'
import { saw } from '../domain/evidence.ts'
import { asRunId } from '../domain/ids.ts'
import { layoutPrompt } from '../domain/layout-prompt.ts'
import { tmuxSessionName } from '../domain/names.ts'
import type { TaskSummary } from '../domain/task.ts'
import { LaunchUncertain } from '../ports/terminal.ts'
import type { Core, Watch } from './core.ts'
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

/** Returns false when the world is in the way. */
export async function launch(queued: TaskSummary, core: Core): Promise<boolean> {
  const earlier = (await core.store.runsOf(queued.id)).at(-1)
  const runId = asRunId(core.ids.run())
  const at = core.clock.now()
  const number = (earlier?.number ?? 0) + 1
  await core.store.record({
    newRun: { id: runId, taskId: queued.id, number, createdAt: at, outputLength: earlier?.outputLength ?? 0 },
    task: {
      id: queued.id,
      from: 'pending',
      event: 'launched',
      reason: `run ${number}`,
      evidence: [saw('store', 'next in the queue, a slot is free')],
      at,
      set: { runId, startedAt: queued.startedAt ?? at },
    },
  })
  const watch = await watchTask(queued.id, runId, core)
  return start(watch, core)
}

async function start(watch: Watch, core: Core): Promise<boolean> {
  try {
    await openPane(watch, core)
    await showTask(watch.task, core)
    core.poke(watch.task.id)
    return true
  } catch (error) {
    core.log.warn('launch failed', { task: watch.task.id, run: watch.run.id, error: messageOf(error) })
    const inTheWay = error instanceof LaunchUncertain || isHoldfastError(error, ...ENVIRONMENT)
    if (inTheWay) await settleClaim(watch, messageOf(error), core)
    else await failLaunch(watch, error, core)
    return !inTheWay
  }
}

async function openPane({ task, run }: Watch, core: Core): Promise<void> {
  const paths = core.handoff.paths(task)
  const prompt = layoutPrompt(task.id, task.snapshot)
  const plan = core.driver(task.agent).launch({ mode: task.mode, model: task.model, prompt, dir: task.dir })
  const argv = await core.runFiles.prepare({
    runId: run.id,
    taskId: task.id,
    argv: plan.argv,
    cwd: task.dir,
    stdin: plan.stdin,
    env: { ...(await core.handoff.env(task)), ...plan.env },
    outputLog: paths.outputLog,
    sessionDir: paths.view,
  })
  await core.terminal.open({
    name: tmuxSessionName(task.id),
    mark: run.id,
    argv,
    cwd: task.dir,
    size: 'viewer',
  })
}
