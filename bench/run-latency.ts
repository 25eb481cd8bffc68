import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { startDaemon } from './lib/daemon.ts'
import { CLI, makeHome } from './lib/home.ts'
import { ms, ratioRow, report } from './lib/report.ts'
import { interleaved, median, timed } from './lib/samples.ts'
import { until } from './lib/until.ts'

const ROUNDS = 40
const home = makeHome()
const { root, project, env, paths } = home
const cli = (...args: string[]) =>
  spawn(process.execPath, [CLI, ...args], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
const ended = (child: ReturnType<typeof cli>) =>
  new Promise<void>((resolve, reject) => {
    child.stdout!.resume()
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))))
  })

/** When a name appears in a directory, by the kernel's own word. */
function appearance(dir: string, isIt: (name: string) => boolean): Promise<{ name: string; at: number }> {
  return new Promise((resolve) => {
    const found = (name: string) => {
      watcher.close()
      resolve({ name, at: performance.now() })
    }
    const watcher = watch(
      dir,
      (_event, name) => name !== null && isIt(name) && existsSync(join(dir, name)) && found(name),
    )
    const there = readdirSync(dir).find(isIt)
    if (there !== undefined) found(there)
  })
}

const raw = ['-S', join(root, 'raw.sock'), '-f', '/dev/null']
const rawDir = join(root, 'raw')
let sessions = 0
/** The least a launch can be: one tmux command to a running server, one shell that writes down its pid. */
async function tmuxNewSession(): Promise<number> {
  const name = `s${++sessions}`
  const seen = appearance(rawDir, (found) => found === name)
  const from = performance.now()
  const script = 'echo $$ >"$0.new"; ln "$0.new" "$0"; exec sleep 60'
  await ended(
    spawn('tmux', [...raw, 'new-session', '-d', '-s', name, '--', 'sh', '-c', script, join(rawDir, name)], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const { at } = await seen
  execFileSync('tmux', [...raw, 'kill-session', '-t', name])
  return at - from
}

const launched = new Set<string>()
const returned: number[] = []
async function run(): Promise<number> {
  const isNew = (name: string) => /^[0-9a-f-]+$/.test(name) && !launched.has(name)
  const seen = appearance(paths.runs, isNew).then(async ({ name }) => {
    launched.add(name)
    return appearance(paths.run(name as never), (file) => file === 'pid')
  })
  const from = performance.now()
  returned.push(await timed(() => ended(cli('run', 'do: finish ok'))))
  const { at } = await seen
  await until('the task to end', async () => {
    const { completed } = await daemon.ask<{ completed: number }>('GET', '/api/tasks/stats')
    return completed === launched.size
  })
  return at - from
}

mkdirSync(rawDir)
execFileSync('tmux', [...raw, 'new-session', '-d', '-s', 'keeper', 'sleep 3600'], { env })
const daemon = await startDaemon(home)
await ended(cli('workspace', 'add', project))

const took = await interleaved(ROUNDS, {
  tmux: tmuxNewSession,
  start: () => timed(() => ended(cli('--help'))),
  run,
})
const start = median(took.start)
// What a person would do by hand: start a program that parses its arguments, and have tmux open a pane.
const byHand = took.tmux.map((raw) => raw + start)
report(
  `How long until \`holdfast run\` has made the agent's process? (${ROUNDS} rounds; floor: raw \`tmux new-session\` + CLI start, which is \`--help\`: ${ms(start)})`,
  [
    ratioRow('`run` → process exists', byHand, took.run, 3),
    ratioRow(
      '… less CLI start, against tmux alone',
      took.tmux,
      took.run.map((all) => all - start),
    ),
    ratioRow('`run` → the command returns', byHand, returned.slice(-ROUNDS)),
  ],
)
process.exit(0)
