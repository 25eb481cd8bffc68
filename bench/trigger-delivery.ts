import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SentJson } from '../src/protocol/json/input-json.ts'
import type { RuntimeJson } from '../src/protocol/json/runtime-json.ts'
import type { TriggerDetailJson, TriggerListJson } from '../src/protocol/json/trigger-json.ts'
import { openSqlite } from '../src/store/database/sqlite-library.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { built, type Home, makeHome } from './lib/home.ts'
import { amountRow, limitRow, ms, report } from './lib/report.ts'
import { median } from './lib/samples.ts'
import { until } from './lib/until.ts'

const ROUNDS = 100
const RUNTIMES = 100
const QUEUE = 10
const BUDGET = { share: 0.99, ms: 1000 }

/** What the scripted agents of this user wrote down themselves. */
function heardIn(user: string): string[] {
  const dir = join(user, '.local/state/holdfast-scripted-agent/sessions')
  return readdirSync(dir).flatMap((name) =>
    readFileSync(join(dir, name), 'utf8')
      .split('\n')
      .flatMap((line) => (line.includes('"heard"') ? [String(JSON.parse(line).heard)] : [])),
  )
}

/** An agent in a tmux of its own: text is pasted, Enter follows at once, and nobody looks. */
async function rawTerminal({ root, env }: Home) {
  const user = join(root, 'floor')
  mkdirSync(user)
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', join(root, 'floor.sock'), ...args], { env: { ...env, HOME: user } })
  tmux('new-session', '-d', '-s', 'raw', process.execPath, built('scripted-agent.js'), '--tui')
  const isThere = () => String(tmux('capture-pane', '-p', '-t', 'raw')).includes('Idle')
  await until('the raw terminal', isThere, { withinMs: 30_000, everyMs: 50 })
  return {
    async say(text: string): Promise<number> {
      const from = performance.now()
      tmux('set-buffer', '-b', 'raw', text, ';', 'paste-buffer', '-p', '-b', 'raw', '-t', 'raw')
      tmux('send-keys', '-t', 'raw', 'Enter')
      while (!heardIn(user).includes(text)) await pause(1)
      return performance.now() - from
    },
    end: () => tmux('kill-server'),
  }
}

const startRuntime = (role: string, home: Home, daemon: Daemon) =>
  daemon.ask('POST', '/api/runtimes', {
    role,
    agent: 'scripted',
    dir: home.project,
    allow_dir: true,
    seed: 'do: say ready',
    env: { PATH: home.env.PATH, HOME: home.env.HOME },
  })

const allReady = (count: number, daemon: Daemon) => async () => {
  const { runtimes } = await daemon.ask<{ runtimes: RuntimeJson[] }>('GET', '/api/runtimes')
  return runtimes.filter(({ state }) => state === 'ready').length === count
}

const send = (to: string, prompt: string, daemon: Daemon) =>
  daemon.ask<SentJson>('POST', `/api/tasks/${encodeURIComponent(to)}/inputs`, { prompt })

const show = (id: string, daemon: Daemon) => daemon.ask<TriggerDetailJson>('GET', `/api/triggers/${id}`)

type Sample = { readonly toAgent: number; readonly submitted: number; readonly acknowledged: number }

/** `count`: of triggers so far. The next id is known, so that the agent's turn can acknowledge it by the command. */
async function deliver(count: number, home: Home, daemon: Daemon): Promise<Sample> {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const id = `trg_${day}_${String(count + 1).padStart(4, '0')}`
  writeFileSync(join(home.project, 'ack.sh'), `holdfast bridge ack_trigger trigger=${id}\n`)
  const { trigger_id } = await send('one@project', 'do: run sh ack.sh', daemon)
  if (trigger_id !== id) throw new Error(`${trigger_id} instead of ${id}`)
  const isDone = async () => ((await show(id, daemon)).state === 'done' ? true : undefined)
  await until(`${id} to be done`, isDone, { withinMs: 60_000, everyMs: 20 })
  const rows = steps.all(id)
  const when = (event: string) => Number(rows.find((row) => row.event === event)?.at)
  return {
    toAgent: when('submitted') - when('queued'),
    submitted: when('submitted') - when('typed'),
    acknowledged: when('acknowledged') - when('submitted'),
  }
}

const home = makeHome(`maxConcurrent: ${RUNTIMES + 5}\nquiet.window: 0s\n`)
const daemon = await startDaemon(home)
const raw = await rawTerminal(home)
/** In milliseconds, which the JSON of a trigger has not. The daemon that is measured does not notice. */
const database = openSqlite(home.paths.database)
const steps = database.prepare('SELECT event, at FROM trigger_steps WHERE trigger_id = ? ORDER BY number')
await startRuntime('one', home, daemon)
await until('the runtime', allReady(1, daemon), { withinMs: 60_000, everyMs: 100 })
const floor: number[] = []
const samples: Sample[] = []
for (let round = 0; round < ROUNDS; round++) {
  floor.push(await raw.say(`raw ${round}`))
  samples.push(await deliver(round, home, daemon))
}
raw.end()
database.close()

const roles = Array.from({ length: RUNTIMES }, (_, n) => `r${n}`)
for (const role of roles) await startRuntime(role, home, daemon)
await until('all runtimes', allReady(RUNTIMES + 1, daemon), { withinMs: 600_000, everyMs: 500 })
const from = performance.now()
for (let n = 0; n < QUEUE; n++)
  await Promise.all(roles.map((role) => send(`${role}@project`, `queue ${role}.${n}.`, daemon)))
const areDone = async () => {
  const { triggers } = await daemon.ask<TriggerListJson>('GET', '/api/triggers?state=done&limit=10000')
  return triggers.length === ROUNDS + RUNTIMES * QUEUE
}
await until('all queues to be empty', areDone, { withinMs: 1_800_000, everyMs: 500 })
const queuesMs = performance.now() - from
const heard = heardIn(home.env.HOME).filter((text) => text.includes('queue '))
const once = roles.flatMap((role) => Array.from({ length: QUEUE }, (_, n) => `queue ${role}.${n}.`))
const wrong = once.filter((text) => heard.filter((one) => one.includes(text)).length !== 1)
if (wrong.length > 0) throw new Error(`not heard once: ${wrong.join(', ')}`)

const seconds = (amount: number) => `${amount.toFixed(1)} s`
report(
  `How long does a prompt take to an agent in its terminal? (scripted TUI, ${ROUNDS} each; floor: tmux paste-buffer and Enter at once, until the agent has it)`,
  [
    limitRow(
      'sent → submitted, with proof',
      floor,
      samples.map(({ toAgent }) => toAgent),
    ),
    limitRow(
      '… typed → submitted',
      floor,
      samples.map(({ submitted }) => submitted),
      BUDGET,
    ),
    limitRow(
      '… submitted → acknowledged, by `holdfast bridge` in its turn',
      floor,
      samples.map(({ acknowledged }) => acknowledged),
    ),
    amountRow(
      `${RUNTIMES} runtimes with ${QUEUE} prompts each, all done, each once (floor: one after the other)`,
      (median(floor) * RUNTIMES * QUEUE) / 1000,
      queuesMs / 1000,
      seconds,
    ),
    amountRow('… per prompt', median(floor), queuesMs / (RUNTIMES * QUEUE), ms),
  ],
)
process.exit(0)
