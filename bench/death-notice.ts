import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CreatedJson } from '../src/protocol/json/create-json.ts'
import type { TaskDetailJson } from '../src/protocol/json/task-json.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { killAll, nobody, renameNotice, type Victim } from './lib/deaths.ts'
import { type Home, makeHome } from './lib/home.ts'
import { startLightRuns } from './lib/light-runs.ts'
import { limitRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const DEATHS = 100
const AT_ONCE = 20
const CROWD = 100
const BUDGET = { share: 0.99, ms: 100 }

/** A scripted agent that has begun to work, and waits for its end. */
async function startVictim(home: Home, daemon: Daemon): Promise<Victim> {
  const asked = { prompt: 'do: hang', dir: home.project, env: { PATH: home.env.PATH }, allow_dir: true }
  const { task } = await daemon.ask<CreatedJson>('POST', '/api/tasks', asked)
  const hasBegun = async () => {
    const now = await daemon.ask<TaskDetailJson>('GET', `/api/tasks/${task.session_id}`)
    return now.phase === 'working' && now
  }
  const { run_id } = await until('the agent to work', hasBegun, { everyMs: 50 })
  const pid = Number(readFileSync(`${home.paths.runs}/${run_id}/pid`, 'utf8').split(' ')[0])
  return { taskId: task.session_id, runId: run_id!, pid }
}

const home = makeHome(`maxConcurrent: ${AT_ONCE}\nretries: 0\n`)
const renamed = join(home.root, 'renamed')
mkdirSync(renamed)
const floor: number[] = []
const [single, together, crowded] = [nobody(), nobody(), nobody()]
const daemon = await startDaemon(home)
for (let n = 0; n < DEATHS; n++) {
  floor.push(await renameNotice(renamed))
  await killAll([await startVictim(home, daemon)], home, daemon, single)
}
for (let n = 0; n < DEATHS; n += AT_ONCE) {
  const victims = await Promise.all(Array.from({ length: AT_ONCE }, () => startVictim(home, daemon)))
  await killAll(victims, home, daemon, together)
}
home.end()

const crowdedHome = makeHome('maxConcurrent: 500\nretries: 0\n')
const crowd = await startLightRuns(crowdedHome, CROWD + DEATHS)
const crowdedDaemon = await startDaemon(crowdedHome)
for (const victim of crowd.slice(CROWD)) await killAll([victim], crowdedHome, crowdedDaemon, crowded)

report(
  `How long from kill -9 of an agent until its death is stored? (${DEATHS} deaths each; floor: fs.watch tells of a rename)`,
  [
    limitRow('one at a time', floor, single.noticed, BUDGET),
    limitRow('… of that, until the exit record', floor, single.exitRecord),
    limitRow(`${AT_ONCE} at once`, floor, together.noticed),
    limitRow('… of that, until the exit record', floor, together.exitRecord),
    limitRow(`one at a time, ${CROWD} others alive`, floor, crowded.noticed, BUDGET),
    limitRow('… of that, until the exit record', floor, crowded.exitRecord),
  ],
)
process.exit(0)
