import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { realDrivers } from '../src/agents/all.ts'
import type { SentJson } from '../src/protocol/json/input-json.ts'
import type { RuntimeJson } from '../src/protocol/json/runtime-json.ts'
import { openSqlite } from '../src/store/database/sqlite-library.ts'
import { type AgentKind, agentEnvironment, furnish } from '../test/real-agents/agent-home.ts'
import { startModelServer } from '../test/real-agents/model-server.ts'
import { startDaemon } from './lib/daemon.ts'
import { makeHome } from './lib/home.ts'
import { installAgents } from './lib/installing.ts'
import { startRawAgent, untilAsked } from './lib/raw-agent.ts'
import { limitRow, type Row, report } from './lib/report.ts'
import { until } from './lib/until.ts'

const ROUNDS = 100
/** Not counted: the first turns fill caches, and agents make titles with them. */
const WARM_UP = 3
const BUDGET = { share: 0.99, ms: 1000 }
const PATIENCE_MS = 120_000

installAgents()
// Of what these agents are given here, the daemon would keep back so much.
const home = makeHome('quiet.window: 0s\nenv.pass: [LAB_KEY, TMPDIR, npm_config_*]\n')
const model = await startModelServer()
const agentHome = { home: home.env.HOME, project: home.project, url: model.url }
mkdirSync(join(agentHome.home, 'tmp'))
furnish(agentHome)
const daemon = await startDaemon(home)
/** In milliseconds, which the JSON of a trigger has not. The daemon that is measured does not notice. */
const database = openSqlite(home.paths.database)
const steps = database.prepare('SELECT event, at FROM trigger_steps WHERE trigger_id = ? ORDER BY number')

const runtimeOf = (kind: string) => encodeURIComponent(`${kind}@project`)

async function startRuntime(kind: AgentKind): Promise<void> {
  const env = agentEnvironment(kind, agentHome)
  const runtime = { role: kind, agent: kind, dir: home.project, allow_dir: true, seed: 'DO:text{ready}', env }
  await daemon.ask('POST', '/api/runtimes', runtime)
  const isReady = async () => {
    const { runtimes } = await daemon.ask<{ runtimes: RuntimeJson[] }>('GET', '/api/runtimes')
    return runtimes.some(({ role, state }) => role === kind && state === 'ready')
  }
  await until(`${kind} to be ready`, isReady, { withinMs: PATIENCE_MS, everyMs: 100 })
}

type Delivery = {
  readonly id: string
  readonly asked: number
  readonly given: number
  readonly submitted: number
  readonly acknowledged: number
}

/** The agent's turn is over when this returns. */
async function deliver(kind: AgentKind): Promise<Delivery> {
  const before = model.requests.length
  const from = performance.now()
  const path = `/api/tasks/${runtimeOf(kind)}/inputs`
  const { trigger_id } = await daemon.ask<SentJson>('POST', path, { prompt: 'DO:ack' })
  const id = trigger_id!
  await untilAsked(model, `id=${id}]`, before)
  const asked = performance.now() - from
  const at = await until(`${id} to be done`, () => timesOf(id), { withinMs: PATIENCE_MS })
  return {
    id,
    asked,
    given: at.typed! - at.queued!,
    submitted: at.submitted! - at.typed!,
    acknowledged: at.acknowledged! - at.submitted!,
  }
}

/** Of each of its steps, once it is done. Other steps than these would be no plain delivery. */
function timesOf(id: string): Record<string, number> | undefined {
  const rows = steps.all(id).map(({ event, at }) => [String(event), Number(at)] as const)
  const events = rows.map(([event]) => event).join()
  if (!events.endsWith(',done')) return undefined
  if (events !== 'queued,typed,submitted,acknowledged,done') throw new Error(`${id} was ${events}`)
  return Object.fromEntries(rows)
}

/** What the agent told its model is the judge. */
function checkEachOnce(ids: readonly string[]): void {
  const last = model.requests.findLast(({ turns }) => JSON.stringify(turns).includes(`id=${ids.at(-1)}]`))
  const said = last!.turns.filter(({ role }) => role === 'user').map(({ text }) => text)
  const heard = [...said.join('\n').matchAll(/\[BRIDGE_TRIGGER id=(\w+)\]/g)].map(([, id]) => id)
  if (heard.join() !== ids.join()) throw new Error(`sent ${ids.join()}, heard ${heard.join()}`)
}

async function measure(kind: AgentKind, hears: 'keys' | 'lines'): Promise<Row[]> {
  await startRuntime(kind)
  const raw = await startRawAgent(kind, model, home)
  const floor: number[] = []
  const deliveries: Delivery[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    floor.push(await raw.say(`raw_${kind}_${round}`))
    deliveries.push(await deliver(kind))
  }
  raw.end()
  await daemon.ask('POST', `/api/runtimes/${runtimeOf(kind)}/stop`)
  checkEachOnce(deliveries.map(({ id }) => id))
  const row = (what: string, part: Exclude<keyof Delivery, 'id'>, limit?: typeof BUDGET) => {
    const measured = deliveries.map((delivery) => delivery[part])
    return limitRow(what, floor.slice(WARM_UP), measured.slice(WARM_UP), limit)
  }
  const given = hears === 'keys' ? 'typed' : 'handed over'
  return [
    row(`${kind}: sent → its model is asked`, 'asked'),
    row(`… sent → ${given}`, 'given'),
    row(`… ${given} → submitted, with proof`, 'submitted', BUDGET),
    row('… submitted → acknowledged', 'acknowledged'),
  ]
}

const rows: Row[] = []
for (const { kind, can } of realDrivers)
  if (can.terminal !== null) rows.push(...(await measure(kind as AgentKind, can.terminal.hears)))
database.close()
report(
  `How long does a prompt take to each real agent in its terminal? (offline with a scripted model; ${ROUNDS} each, each heard once; floor: the same CLI in a tmux of its own, paste-buffer and Enter at once, until its model is asked)`,
  rows,
)
process.exit(0)
