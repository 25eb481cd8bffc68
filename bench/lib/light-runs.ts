// Live runs that cost next to nothing: real store rows, run directories, handoff files and shims, with `sleep` as the agent.
import { spawn } from 'node:child_process'
import { moveTask } from '../../src/changes/move-task.ts'
import { asRunId, asTaskId, asWorkspaceId, type RunId, type TaskId } from '../../src/domain/names/ids.ts'
import { FileHandoff } from '../../src/handoff/file-handoff.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { TaskDraft } from '../../src/ports/store/tasks.ts'
import { systemClock } from '../../src/system/clock.ts'
import { replaceFile } from '../../src/system/disk/replace-file.ts'
import { systemIds } from '../../src/system/ids.ts'
import { gzipPacking } from '../../src/system/logs/packing.ts'
import { FileRunFiles } from '../../src/system/run-files/file-run-files.ts'
import { sessionName } from '../../src/tmux/panes/session-name.ts'
import { addWorkspace, createTask } from '../../test/store/writes.ts'
import { built, type Home } from './home.ts'
import { until } from './until.ts'

export type LightRun = { readonly taskId: TaskId; readonly runId: RunId; readonly pid: number }

const AT_ONCE = 10
const AGENT = ['sleep', '3600']

/** As a daemon that was killed just after launching them would leave them. Call it before the daemon starts. */
export async function startLightRuns(home: Home, count: number): Promise<LightRun[]> {
  const store = await home.store()
  const at = systemClock.now()
  await addWorkspace(store, {
    id: asWorkspaceId('bench'),
    slug: 'project',
    path: home.project,
    addedAt: at,
    addedBy: 'bench',
  })
  const parts = {
    home,
    store,
    handoff: new FileHandoff({
      home: home.paths,
      clock: systemClock,
      packing: gzipPacking,
      replaceFile,
      terminal: { sessionName },
    }),
    runFiles: new FileRunFiles({
      home: home.paths,
      shimSource: built('shim.sh'),
      ownCommand: [process.execPath, 'cli.cjs'],
    }),
  }
  const runs: LightRun[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => from + n + 1)
    runs.push(...(await Promise.all(numbers.map((number) => startOne(number, parts)))))
  }
  await parts.handoff.closeAll()
  await store.close()
  return runs
}

type Parts = { home: Home; store: Store; handoff: FileHandoff; runFiles: FileRunFiles }

async function startOne(number: number, parts: Parts): Promise<LightRun> {
  const { home, handoff, runFiles } = parts
  const task = draft(number, home)
  const runId = asRunId(systemIds.run())
  await handoff.create(task, {})
  await storeLaunched(task, runId, parts.store)
  await handoff.finishDraft(task)
  const { view, outputLog } = handoff.paths(task)
  const files = {
    runId,
    taskId: task.id,
    argv: AGENT,
    cwd: home.project,
    hearing: 'once' as const,
    stdin: '',
    files: [],
    outputLog,
    sessionDir: view,
  }
  await runFiles.prepare({ ...files, env: { PATH: home.env.PATH } })
  await runFiles.claim(runId)
  keep(home, runId)
  const { pid } = await until('a light run', () => runFiles.started(runId))
  return { taskId: task.id, runId, pid }
}

async function storeLaunched(task: TaskDraft, runId: RunId, store: Store): Promise<void> {
  const at = task.createdAt
  await createTask(store, task, { at, kind: 'task_created', taskId: task.id, actor: 'bench', detail: '' })
  await store.commit({
    newRun: {
      id: runId,
      taskId: task.id,
      number: 1,
      createdAt: at,
      how: 'start',
      told: null,
      outputLength: 0,
      inputLength: 0,
    },
    task: moveTask({
      id: task.id,
      from: 'pending',
      event: 'launched',
      reason: 'run 1',
      evidence: [],
      at,
      set: { runId, startedAt: at },
    }),
  })
}

/** What the shim's pane stage does once the claim is made. */
function keep({ paths, env }: Home, runId: RunId): void {
  const dir = paths.run(runId)
  const argv = ['-i', `PATH=${env.PATH}`, 'sh', `${dir}/shim`, 'keep', dir, ...AGENT]
  spawn('env', argv, { detached: true, stdio: 'ignore' }).unref()
}

const draft = (number: number, { project }: Home): TaskDraft => ({
  id: asTaskId(`20251118-120000-light-${number}`),
  name: null,
  title: 'sleep',
  agent: 'scripted',
  role: null,
  model: null,
  mode: 'headless',
  workspaceId: asWorkspaceId('bench'),
  project,
  dir: project,
  priority: 'normal',
  tags: [],
  meta: {},
  parentId: null,
  account: null,
  createdBy: 'bench',
  createdAt: systemClock.now(),
  maxDurationMs: null,
  runtime: null,
  snapshot: {
    prompt: 'sleep',
    persona: null,
    restrictions: [],
    permission: 'default',
    extraDirs: [],
    killGraceMs: 1000,
    closePane: true,
    envNames: [],
  },
})
