import { spawnSync } from 'node:child_process'
import { startDaemon } from './lib/daemon.ts'
import { CLI, makeHome } from './lib/home.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { ratioRow, report } from './lib/report.ts'
import { interleaved, timed } from './lib/samples.ts'

const ROUNDS = 40
const TASKS = 1000

const home = makeHome()
const newest = await insertTasks(home, TASKS)
const daemon = await startDaemon(home)

/** One whole life of a Node process, whose output is read to the end. */
const node = (args: string[], mustSay: string) => () => {
  const from = performance.now()
  const said = spawnSync(process.execPath, args, { cwd: home.project, env: home.env, encoding: 'utf8' })
  const took = performance.now() - from
  if (said.status !== 0 || !said.stdout.includes(mustSay))
    throw new Error(`node ${args.join(' ')} → ${said.status}\n${said.stdout}${said.stderr}`)
  return took
}
const cli = (args: string[], mustSay: string) => node([CLI, ...args], mustSay)

const took = await interleaved(ROUNDS, {
  floor: node(['-e', '0'], ''),
  help: cli(['--help'], 'holdfast'),
  status: cli(['status', newest], newest),
  list: cli(['list'], newest.slice(0, 20)),
  statusAnswer: () => timed(() => daemon.ask('GET', `/api/tasks/${newest}`)),
  listAnswer: () => timed(() => daemon.ask('GET', '/api/tasks/rows')),
})
report(`How long does a command take, against \`node -e 0\`? (${TASKS} tasks, daemon up, ${ROUNDS} rounds)`, [
  ratioRow('`--help`', took.floor, took.help, 2),
  ratioRow('`status <id>`', took.floor, took.status, 2),
  ratioRow('… of that, the daemon’s answer', took.floor, took.statusAnswer),
  ratioRow(`\`list\`, ${TASKS} tasks`, took.floor, took.list, 2.5),
  ratioRow('… of that, the daemon’s answer', took.floor, took.listAnswer),
])
process.exit(0)
