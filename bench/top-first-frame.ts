import { spawn } from '@lydell/node-pty'
import { INITIAL_STATE } from '../src/cli/top/input/state.ts'
import { boardFrame } from '../src/cli/top/layout/board-layout.ts'
import { BoardModel } from '../src/cli/top/model/board-model.ts'
import { filtered } from '../src/cli/top/model/filter.ts'
import { paint, type Shown } from '../src/cli/top/screen/painter.ts'
import type { TaskRowJson, TaskRowsJson } from '../src/protocol/json/task-json.ts'
import { startDaemon } from './lib/daemon.ts'
import { CLI, makeHome } from './lib/home.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { limitRow, ratioRow, report } from './lib/report.ts'
import { interleaved } from './lib/samples.ts'

const ROUNDS = 40
const TASKS = 1000
const SIZE = { columns: 140, rows: 40 }
/** A frame that takes longer is seen as a stutter. */
const FRAME_MS = 16

const home = makeHome()
await insertTasks(home, TASKS)
const daemon = await startDaemon(home)
const { rows } = await daemon.ask<TaskRowsJson>('GET', '/api/tasks/rows')

/** In a terminal of its own, until it has drawn this; then it is told to leave, and waited for. */
const inTerminal = (args: string[], until: string | null) => () =>
  new Promise<number>((resolve, reject) => {
    const from = performance.now()
    let took: number | undefined
    let seen = ''
    const pty = spawn(process.execPath, args, {
      cols: SIZE.columns,
      rows: SIZE.rows,
      cwd: home.project,
      env: home.env,
    })
    pty.onData((text) => {
      seen += text
      if (took !== undefined || until === null || !seen.includes(until)) return
      took = performance.now() - from
      pty.write('q')
    })
    pty.onExit(({ exitCode }) => {
      const ms = until === null ? performance.now() - from : took
      if (exitCode === 0 && ms !== undefined) resolve(ms)
      else reject(new Error(`node ${args.join(' ')} → ${exitCode}\n${seen}`))
    })
  })

/** As many sessions at once as nobody has on a screen: all of them at work, one of them changed before each frame. */
const model = new BoardModel()
const one = (n: number, changes: Partial<TaskRowJson> = {}): TaskRowJson => ({
  ...(rows[0] as TaskRowJson),
  session_id: `20251118-${String(100_000 + n)}-task`,
  title: n % 7 === 0 ? `日本語のタイトル ${n}` : `Fix the failing login test number ${n}`,
  status: 'RUNNING',
  task_status: 'running',
  phase: n % 3 === 0 ? 'idle' : 'working',
  ...changes,
})
for (let n = 0; n < TASKS; n++) model.take(model.ask(), one(n), 0)
let shown: Shown | null = null
let turn = 0
const frame = () => {
  const from = performance.now()
  const n = turn++ % TASKS
  model.take(model.ask(), one(n, { phase: turn % 2 === 0 ? 'idle' : 'working' }), 0)
  const now = { monotonic: turn * 1000, server: Date.now() + turn * 1000 }
  const truth = { link: { kind: 'live' as const }, silentMs: 0, trouble: null, outage: null }
  const seen = { model, rows: filtered(model.rows(), 'task'), truth, now }
  const state = { ...INITIAL_STATE, selected: `20251118-${String(100_000 + n)}-task` }
  shown = paint(shown, boardFrame(state, seen, SIZE).frame, SIZE, true).shown
  return performance.now() - from
}
for (let n = 0; n < 200; n++) frame()

const took = await interleaved(ROUNDS, {
  floor: inTerminal(['-e', '0'], null),
  list: inTerminal([CLI, 'list'], null),
  top: inTerminal([CLI, 'top'], 'DONE'),
  frame,
})
report(
  `How soon does \`holdfast top\` show the sessions? (${TASKS} tasks, daemon up, ${ROUNDS} rounds, in a pty)`,
  [
    ratioRow('first frame, with the sessions', took.floor, took.top, 3),
    ratioRow('… beside it, `list` from start to exit', took.floor, took.list),
    limitRow(`a change, and the next frame of ${TASKS} filtered rows`, took.floor, took.frame, {
      share: 0.95,
      ms: FRAME_MS,
    }),
  ],
)
process.exit(0)
