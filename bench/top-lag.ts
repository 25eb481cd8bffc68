import { setTimeout as pause } from 'node:timers/promises'
import { askInTurn } from './lib/asking-in-turn.ts'
import { BoardInPty, LEAST_BOARD } from './lib/board-in-pty.ts'
import { startDaemon } from './lib/daemon.ts'
import { CLI, makeHome } from './lib/home.ts'
import { startLightRuns } from './lib/light-runs.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { cpuMs } from './lib/proc.ts'
import { amountRow, limitRow, report } from './lib/report.ts'

const LIVE = 400
const ENDED = 600
const KEYS = 200
const KEY_EVERY_MS = 70
const CHANGES_PER_S = 50
const PERIOD_MS = 20_000
/** What people take for at once. */
const AT_ONCE_MS = 50

const home = makeHome(`maxConcurrent: ${LIVE}\n`)
await insertTasks(home, ENDED)
const runs = await startLightRuns(home, LIVE)
const daemon = await startDaemon(home)

/** Of one core, in percent. */
async function shareOf(pids: readonly number[]): Promise<number[]> {
  const before = pids.map(cpuMs)
  const from = performance.now()
  await pause(PERIOD_MS)
  const took = performance.now() - from
  return pids.map((pid, at) => (100 * (cpuMs(pid) - before[at]!)) / took)
}
async function keys(board: BoardInPty): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < KEYS; n++) {
    // Not in step with anything that draws by the clock.
    await pause(KEY_EVERY_MS * (0.5 + Math.random()))
    took.push(await board.keyMs())
  }
  return took
}

const tasks = await askInTurn(home, daemon, runs)
const changesDuring = <T>(work: () => Promise<T>) => tasks.changesDuring(CHANGES_PER_S, work)
await pause(PERIOD_MS)
const [alone = 0] = await shareOf([daemon.pid])
const [changing = 0] = await changesDuring(() => shareOf([daemon.pid]))

const least = new BoardInPty(['-e', LEAST_BOARD], home.project, home.env)
await least.until('selected')
const board = new BoardInPty([CLI, 'top'], home.project, home.env)
await board.until('NEEDS YOU')
// Past the last row older ones are loaded, until all are there; then up, into the middle of a screen of ended ones.
for (let n = 0; n < 8; n++) {
  board.types('G')
  await pause(700)
}
board.types('\x1b[A'.repeat(15))
await pause(1000)
least.types('\x1b[A')

const floor = await keys(least)
const atRest = await keys(board)
const [restDaemon = 0, restTop = 0, restLeast = 0] = await shareOf([daemon.pid, board.pid, least.pid])
const [floorBusy, whileChanging] = await changesDuring(async () => [await keys(least), await keys(board)])
const [busyDaemon = 0, busyTop = 0] = await changesDuring(() => shareOf([daemon.pid, board.pid]))

const percent = (share: number) => `${share.toFixed(1)} %`
report(
  `Does \`holdfast top\` lag? (${LIVE} live sessions and ${ENDED} ended ones on the board, in a pty; ${CHANGES_PER_S} changes a second; ` +
    'floor: a program that does nothing but draw the row; for the daemon: without the board)',
  [
    limitRow('a key → drawn, nothing changes', floor, atRest, { share: 0.99, ms: AT_ONCE_MS }),
    limitRow('a key → drawn, while sessions change', floorBusy!, whileChanging!, {
      share: 0.99,
      ms: 2 * AT_ONCE_MS,
    }),
    amountRow('one core: top, nothing changes', restLeast, restTop, percent, 3),
    amountRow('one core: the daemon, nothing changes', alone, restDaemon, percent),
    amountRow('one core: top, while sessions change', null, busyTop, percent, 50),
    amountRow('one core: the daemon, while sessions change', changing, busyDaemon, percent),
  ],
)
least.end()
board.end()
await daemon.kill()
home.end()
process.exit(0)
