import { spawnSync } from 'node:child_process'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { makeHome } from './lib/home.ts'
import { startLightRuns } from './lib/light-runs.ts'
import { limitRow, report } from './lib/report.ts'
import { timed } from './lib/samples.ts'

const RUNS = 500
const RESTARTS = 7

const home = makeHome(`maxConcurrent: ${RUNS}\n`)
const runs = await startLightRuns(home, RUNS)
const facts = runs.flatMap(({ pid, runId }) => [`/proc/${pid}/stat`, `${home.paths.run(runId)}/pid`])
const script = `for (const file of ${JSON.stringify(facts)}) require('node:fs').readFileSync(file)`

function readFacts(): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { env: home.env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** The daemon answers only when it has looked at every run. */
async function start(): Promise<Daemon> {
  const daemon = await startDaemon(home)
  const { running } = await daemon.ask<{ running: number }>('GET', '/api/tasks/stats')
  if (running !== RUNS) throw new Error(`${running} of ${RUNS} runs were adopted`)
  return daemon
}

let daemon: Daemon | undefined
const first = await timed(async () => {
  daemon = await start()
})
const floor: number[] = []
const restarts: number[] = []
for (let n = 0; n < RESTARTS; n++) {
  await daemon!.kill()
  floor.push(await timed(readFacts))
  restarts.push(
    await timed(async () => {
      daemon = await start()
    }),
  )
}
report(
  `How long until a restarted daemon has adopted ${RUNS} live runs? (${RESTARTS} restarts after kill -9; floor: a fresh Node reads their /proc stat and pid files)`,
  [
    limitRow('restart → all adopted, and it answers', floor, restarts, { share: 0.5, ms: 2000 }),
    limitRow('first sight: each is stored as live, gets a window', floor, [first]),
  ],
)
process.exit(0)
