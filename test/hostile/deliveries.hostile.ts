// A thousand triggers for agents with bad manners, while the daemon is killed again and again and a person gets in the
// way. The judge is what the agents themselves wrote down: each text once, whole, and no dialog answered. Half of the triggers
// have an envelope and are acknowledged, over HTTP or by the agent's own `holdfast bridge`: the ledger tells so, once each.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import type { TaskJson } from '../../src/protocol/json/task-json.ts'
import { ask } from '../helpers/raw-requests.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { CLI, startWorld, type World } from '../helpers/world.ts'

const TRIGGERS = Number(process.env.TRIGGERS ?? 1000)
/** `TROUBLES=queues=700,cut=0.04` has only these. */
const TROUBLES = process.env.TROUBLES?.split(',') ?? [
  '',
  'slow-start=3',
  'repaint=100',
  'dialog=0.3',
  'chips',
  'dies=0.04',
  'repaint=100 dialog=0.2',
  'chips dialog=0.2 slow-start=1',
  'chips dies=0.03 repaint=150',
  'dialog=0.2 dies=0.03',
  'queues=700',
  'cut=0.04',
  'queues=300 cut=0.03 chips',
]
const TERMINALS = 2 * TROUBLES.length
const CONFIG = [
  `maxConcurrent: ${TERMINALS}`,
  'quiet.window: 1s',
  'backoff.base: 200ms',
  'backoff.cap: 1s',
  'breaker.failures: 1000',
  'trigger.ackTimeout: 10m',
]

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
const between = (least: number, most: number) => least + Math.random() * (most - least)

test(`${TRIGGERS} triggers arrive once each`, async () => {
  const world = await startWorld({ config: `${CONFIG.join('\n')}\n`, retries: 1000 })
  const targets: Target[] = []
  for (let n = 0; n < TERMINALS; n++) targets.push(await startTarget(world, TROUBLES[n % TROUBLES.length]!))
  const faults = { daemon: 0, history: 0, draft: 0 }
  let isOver = false
  const trouble = Promise.all([
    killDaemons(world, faults, () => isOver),
    getInTheWay(world, targets, faults, () => isOver),
  ])
  mkdirSync(join(world.project, 'acks'))
  const lots = await Promise.all(
    targets.map((target, n) => sendAll(world, target, n, Math.ceil(TRIGGERS / TERMINALS))),
  )
  const sent = lots.flatMap((lot) => lot.sent)
  const wanted = sent.map(textAsHeard)
  // What went wrong in a moment is put right in some ten seconds, in which the daemon has to live.
  isOver = true
  await trouble
  for (const { acknowledged } of lots) await acknowledged
  await waitFor(
    'all triggers to be heard',
    () => {
      const heard = new Set(heardBy(world).map(({ heard }) => heard.trim()))
      return wanted.every((text) => heard.has(text.trim()))
    },
    900_000,
  )
  const counts = new Map<string, number>()
  for (const { heard } of heardBy(world)) counts.set(heard.trim(), (counts.get(heard.trim()) ?? 0) + 1)
  console.log(`${wanted.length} triggers, ${TERMINALS} terminals; faults: ${JSON.stringify(faults)}`)
  expect(wanted.filter((text) => counts.get(text.trim()) !== 1)).toEqual([])
  const framed = sent.filter(({ ack }) => ack !== null)
  const ledgers: string[] = []
  for (const one of framed) ledgers.push(...(await unsettled(world, one)))
  expect(ledgers).toEqual([])
  console.log(`${framed.length} of them were acknowledged`)
  expect(answersBy(world)).toEqual([])
})

type Target = { readonly id: string; readonly session: string }

async function startTarget(world: World, trouble: string): Promise<Target> {
  const { task } = await world.json<{ task: TaskJson }>(['run', '--file', '-', '--mode', 'interactive'], {
    input: 'do: say ready',
    env: { SCRIPTED_AGENT_TROUBLE: trouble },
  })
  const { tmux_session: session } = await world.status(task.session_id)
  return { id: task.session_id, session: session! }
}

type Sent = {
  readonly id: string
  readonly thread: string
  readonly text: string
  readonly file: string
  readonly ack: 'asked' | 'command' | null
}

/** One after the other. Whoever gets no answer asks again with the same key. */
async function sendAll(world: World, target: Target, terminal: number, count: number) {
  const sent: Sent[] = []
  let acknowledged: Promise<void> = Promise.resolve()
  const release = { title: 'release', key: `thread-${terminal}` }
  const { thread_id: thread } = await insists(() => world.daemon.call('POST /api/threads', { body: release }))
  for (let n = 0; n < count; n++) {
    const ack = n % 2 === 0 ? null : n % 4 === 1 ? 'asked' : 'command'
    const file = `acks/${terminal}.${n}`
    const text = `${textOf(terminal, n)}${ack === null ? '' : stepsFor(ack, file)}`
    const body = { prompt: text, key: `k-${terminal}-${n}`, ...(ack === null ? {} : { thread }) }
    const answer = await insists(() =>
      world.daemon.call('POST /api/tasks/:id/inputs', { id: target.id, body }),
    )
    const one = { id: String(answer.trigger_id), thread, text, file, ack } as const
    sent.push(one)
    if (ack !== null) acknowledged = acknowledged.then(() => acknowledge(world, target, one))
  }
  return { sent, acknowledged }
}

/** Its turn lasts until it was acknowledged, or the file is there that says how it acknowledges. */
const stepsFor = (ack: 'asked' | 'command', file: string) =>
  `\ndo: wait-for ${file}.go${ack === 'command' ? `\ndo: run sh ${file}.sh` : ''}`

/** The daemon may be killed over any question. */
async function insists<T>(asks: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await asks()
    } catch {
      await pause(200)
    }
}

const show = (world: World, id: string) =>
  insists(() => world.daemon.call('GET /api/triggers/:id', { id, query: {} }))

async function acknowledge(world: World, { id: task }: Target, { id, file, ack }: Sent): Promise<void> {
  const path = join(world.project, file)
  const isTaken = async () => ['submitted', 'unconfirmed'].includes((await show(world, id)).state)
  await waitFor(`${id} to be taken`, isTaken, 900_000)
  if (ack === 'command') writeFileSync(`${path}.sh`, commandFor(id))
  else
    await insists(async () => {
      const { run_id } = await world.daemon.call('GET /api/tasks/:id', { id: task })
      const headers = { [HEADER_RUN]: String(run_id) }
      const { status } = await ask(world, 'POST', `/api/triggers/${id}/ack`, { headers })
      if (status !== 200) throw new Error(`refused with ${status}`)
    })
  writeFileSync(`${path}.go`, '')
}

/** The agent itself calls the tool; while no daemon runs, it tries again. */
const commandFor = (id: string) =>
  `until '${process.execPath}' '${CLI}' bridge ack_trigger trigger=${id}; do sleep 0.3; done\n`

const textAsHeard = ({ id, thread, text, ack }: Sent) =>
  ack === null ? text : `[BRIDGE_TRIGGER id=${id} thread=${thread}]\n${text}\n[/BRIDGE_TRIGGER]`

/** What its ledger should not say; nothing when it was acknowledged once, and done once. */
async function unsettled(world: World, { id, ack }: Sent): Promise<string[]> {
  await waitFor(`${id} to be done`, async () => (await show(world, id)).state === 'done', 120_000)
  const { acknowledged_by, steps } = await show(world, id)
  const events = steps.map(({ event }) => event)
  const isOnce = (event: string) => events.filter((one) => one === event).length === 1
  return acknowledged_by === 'ack_trigger' && isOnce('acknowledged') && isOnce('done')
    ? []
    : [`${id} (${ack}): by ${acknowledged_by}: ${events.join(', ')}`]
}

/** Of one line or of several, plain or with what an agent or a terminal may take for something else. */
function textOf(terminal: number, n: number): string {
  const name = `trigger ${terminal}.${n}`
  const kinds = [
    `${name}`,
    `${name}\nsecond line\nthird line`,
    `${name} 🙂 שלום "quotes" $HOME \`x\``,
    `${name}\n\n\ttab and a blank line\nwith 'quotes' and #{pane_id}`,
    `${name} ${'long '.repeat(100)}end`,
  ]
  return kinds[n % kinds.length]!
}

async function killDaemons(world: World, faults: { daemon: number }, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await pause(between(2000, 7000))
    try {
      await world.killDaemon()
      faults.daemon++
    } catch {
      // Nobody has started the next one yet.
    }
    await world.cli(['list'])
  }
}

/** Somebody scrolls back in a terminal, or leaves half a line in it for a while. */
async function getInTheWay(
  world: World,
  targets: readonly Target[],
  faults: { history: number; draft: number },
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const { session } = targets[Math.floor(Math.random() * targets.length)]!
    const pane = ['-t', `=${session}:`]
    const quietly = (...args: string[]) => world.tmux(...args).catch(() => '')
    if (Math.random() < 0.5) {
      faults.history++
      await quietly('copy-mode', ...pane)
      await pause(between(100, 1500))
      await quietly('send-keys', ...pane, '-X', 'cancel')
    } else {
      faults.draft++
      await draft(quietly, pane)
    }
    await pause(between(100, 1000))
  }
}

/** Typed, and after a while taken out again by backspaces: a person leaves nothing of their own behind. */
async function draft(quietly: (...args: string[]) => Promise<string>, pane: string[]): Promise<void> {
  const letters = 'half a line'
  await quietly('send-keys', ...pane, '-l', letters)
  await pause(between(100, 2500))
  for (let tries = 0; tries < 50; tries++) {
    const box = boxIn(await quietly('capture-pane', '-p', ...pane)).trimEnd()
    const left = [...letters].findIndex((_, n) => box.endsWith(letters.slice(0, letters.length - n)))
    if (left < 0) return
    for (let n = letters.length - left; n > 0; n--) await quietly('send-keys', ...pane, 'BSpace')
    await pause(200)
  }
}

/** Between the last two rules; empty while a dialog is there. */
const boxIn = (screen: string) => screen.split(/^─{8,}$/m).at(-2) ?? ''

const sessions = (world: World) => {
  const dir = join(world.user, '.local/state/holdfast-scripted-agent/sessions')
  return readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'))
}

const heardBy = (world: World) => world.heard()

const answersBy = (world: World) =>
  sessions(world).flatMap((text) => text.split('\n').filter((line) => line.includes('"answered"')))
