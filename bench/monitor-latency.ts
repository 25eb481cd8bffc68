import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { CreatedJson } from '../src/protocol/json/create-json.ts'
import type { MonitorLookJson } from '../src/protocol/json/monitor-json.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { CLI, type Home, makeHome } from './lib/home.ts'
import { limitRow, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const ROUNDS = 100
const CROWD = 50
const BUDGET = { share: 0.99, ms: 200 }

/** A byte there and back over a unix socket: what telling costs when there is nothing to find out. */
async function echo(path: string): Promise<() => Promise<number>> {
  const server = createServer((socket) => socket.pipe(socket)).listen(path)
  await new Promise((resolve) => server.once('listening', resolve))
  const socket = connect(path)
  return () =>
    new Promise((resolve) => {
      const from = performance.now()
      socket.once('data', () => resolve(performance.now() - from))
      socket.write('x')
    })
}

/** A scripted agent at work, which ends when its file is there. */
async function startTask(home: Home, daemon: Daemon, file: string): Promise<string> {
  rmSync(join(home.project, file), { force: true })
  const prompt = `do: wait-for ${file}\ndo: finish done`
  const asked = { prompt, dir: home.project, env: { PATH: home.env.PATH }, allow_dir: true }
  const { task } = await daemon.ask<CreatedJson>('POST', '/api/tasks', asked)
  return task.session_id
}

const lookAt = (id: string, seen: string | undefined, daemon: Daemon) =>
  daemon.ask<MonitorLookJson>('POST', '/api/monitor', { ids: [id], seen, wait_seconds: 60 })

/** Wall clock, as the daemon stamps its events, but finer. */
const now = () => performance.timeOrigin + performance.now()

/** When the daemon decided that the task is completed, which is before it was stored. */
async function completedAt(id: string, home: Home): Promise<number> {
  const path = `/api/tasks/${id}/events`
  const text = await new Promise<string>((resolve, reject) =>
    get({ socketPath: home.paths.socket, path }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then((parts) => resolve(parts.join('')), reject)
    }).on('error', reject),
  )
  return Number(/^event: task_completed\ndata: .*?"at":(\d+)/m.exec(text)![1])
}

/** When the daemon's answer arrives. */
async function answered(id: string, daemon: Daemon): Promise<number> {
  for (let look = await lookAt(id, undefined, daemon); ; look = await lookAt(id, look.seen, daemon))
    if (look.over) return now()
}

/** A command that waits. `ended`: when it was over. */
async function command(id: string, home: Home): Promise<{ readonly ended: Promise<number> }> {
  const child = spawn(process.execPath, [CLI, 'monitor', id, '--json', '--verbose'], { env: home.env })
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  child.stdout.resume()
  const ended = new Promise<number>((resolve) => child.once('exit', () => resolve(now())))
  await until('monitor to wait', () => said.includes('working'))
  return { ended }
}

type Sample = { readonly answer: number; readonly command: number }
/** From the decision that it is completed until those who wait know it. */
async function measure(home: Home, daemon: Daemon): Promise<Sample> {
  const id = await startTask(home, daemon, 'go')
  const { ended } = await command(id, home)
  const answer = answered(id, daemon)
  writeFileSync(join(home.project, 'go'), '')
  const [heard, left] = await Promise.all([answer, ended])
  const event = await completedAt(id, home)
  return { answer: heard - event, command: left - event }
}

async function measureAll(home: Home, daemon: Daemon): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(await roundTrip())
    samples.push(await measure(home, daemon))
  }
  return samples
}

const home = makeHome(`maxConcurrent: ${CROWD + 5}\n`)
mkdirSync(join(home.root, 'floor'))
const roundTrip = await echo(join(home.root, 'floor', 's'))
const floor: number[] = []
const daemon = await startDaemon(home)
const alone = await measureAll(home, daemon)
const crowd = await Promise.all(Array.from({ length: CROWD }, () => startTask(home, daemon, 'never')))
for (const id of crowd) void answered(id, daemon).catch(() => {})
const crowded = await measureAll(home, daemon)

const answers = (samples: readonly Sample[]) => samples.map(({ answer }) => answer)
const commands = (samples: readonly Sample[]) => samples.map(({ command }) => command)
report(
  `How long from a task's last event until \`monitor\` returns? (${ROUNDS} each; floor: a byte there and back on a unix socket)`,
  [
    limitRow('the command has ended', floor, commands(alone), BUDGET),
    limitRow('… of that, until the daemon’s answer', floor, answers(alone)),
    limitRow(`the command, ${CROWD} others waited for`, floor, commands(crowded), BUDGET),
    limitRow('… of that, until the daemon’s answer', floor, answers(crowded)),
  ],
)
process.exit(0)
