// Tasks of many kinds under random faults: `npm run soak -- [--minutes 30] [--seed N] [--tasks 10] [--json] [--keep]`. Exit 1 unless nothing was lost, nothing done twice, nothing left behind.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dice } from './soak/dice.mjs'
import { makeFaults } from './soak/faults.mjs'
import { reckon } from './soak/reckoning.mjs'
import { makeStory } from './soak/stories.mjs'
import { startTask, tend } from './soak/tend.mjs'
import { makeWorld, signal } from './soak/world.mjs'

const PROGRESS_MS = 10_000
const LOOK_MS = 500
/** Between two faults, at least and at most. */
const CALM_MS = [1000, 5000]
/** How long everything may take to end once the faults are over. */
const PATIENCE_MS = 2 * 60_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    tasks: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const [minutes, seed, atOnce] = [values.minutes, values.seed, values.tasks].map(Number)
if (![minutes, seed, atOnce].every((number) => number > 0)) {
  console.error('--minutes, --seed and --tasks take a number above 0.')
  process.exit(1)
}

const say = (text) => (values.json ? console.error(text) : console.log(text))
const world = makeWorld()
for (const name of ['SIGINT', 'SIGTERM'])
  process.once(name, () => void world.end().finally(() => process.exit(130)))
// A fault of the soak itself leaves nothing behind either.
process.once('uncaughtException', (error) => {
  console.error(error)
  void world.end().finally(() => process.exit(1))
})

// Two of them: faults must not depend on how fast tasks come and go.
const stories = dice(seed)
const chance = dice(seed + 1)
const faults = makeFaults(world, chance)
const struck = Object.fromEntries(Object.keys(faults).map((name) => [name, 0]))
const counts = { answered: 0, decided: 0, broughtBack: 0, asked: [] }
const tasks = []
const startedAt = Date.now()
const endsAt = startedAt + minutes * 60_000
say(`soak: ${minutes} min, seed ${seed}, ${atOnce} tasks at once, in ${world.root}`)

const live = () => tasks.filter(({ over }) => !over)
const progress = setInterval(() => say(progressLine()), PROGRESS_MS)
await Promise.all([keepBusy(), strike(), watchForTwo()])
clearInterval(progress)
const orphans = await leftOver()
const reckoned = reckon(tasks, world)
const isGood = summarise(reckoned, orphans)
if (values.keep && !isGood) say(`kept: ${world.root}`)
else await world.end()
process.exit(isGood ? 0 : 1)

/** New tasks as old ones end; after the time is up, until all have ended. */
async function keepBusy() {
  let number = 0
  const isDue = () => Date.now() < endsAt
  while (isDue() || (live().length > 0 && Date.now() < endsAt + PATIENCE_MS)) {
    while (isDue() && live().length < atOnce) {
      const story = makeStory(++number, stories)
      tasks.push({ id: await started(story), story })
    }
    if ((await world.get('/api/health')) === undefined) await world.cli(['up'])
    await Promise.all(live().map((task) => tend(task, world, counts)))
    await pause(LOOK_MS)
  }
}

async function started(story) {
  for (;;) {
    const id = await startTask(story, world)
    if (id !== undefined) return id
    await pause(LOOK_MS)
  }
}

async function strike() {
  const [least, most] = CALM_MS
  while (Date.now() < endsAt) {
    await pause(least + chance.roll(most - least))
    // Where one finds nothing to strike, another is tried.
    for (let tries = 5; tries > 0 && Date.now() < endsAt; tries--) {
      const name = chance.pick(Object.keys(faults))
      if (!(await faults[name](live()))) continue
      struck[name]++
      break
    }
  }
  // Whoever was stopped goes on.
  for (const { pid } of world.processes()) signal(pid, 'SIGCONT')
}

/** There must never be two agents on one task. */
async function watchForTwo() {
  while (Date.now() < endsAt || live().length > 0) {
    const runsOf = new Map()
    for (const { pid, environ, argv } of world.processes()) {
      const of = (name) => environ.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
      const task = of('HOLDFAST_TASK_ID')
      if (task === undefined || !argv.some((arg) => arg.endsWith('scripted-agent.js'))) continue
      runsOf.set(task, (runsOf.get(task) ?? new Map()).set(of('HOLDFAST_RUN'), pid))
    }
    for (const [id, runs] of runsOf) {
      const task = tasks.find((one) => one.id === id)
      if (runs.size > 1 && task) task.twoAtOnce = JSON.stringify([...runs])
    }
    if (Date.now() > endsAt + PATIENCE_MS) return
    await pause(LOOK_MS)
  }
}

/** Of ended tasks first, then of everything, once the daemon is told to stop. */
async function leftOver() {
  const marked = () =>
    world.processes().filter(({ environ }) => environ.some((entry) => entry.startsWith('HOLDFAST_RUN=')))
  for (let patience = 40; marked().length > 0 && patience > 0; patience--) await pause(LOOK_MS)
  const ofRuns = marked()
  await world.cli(['down'])
  for (let patience = 20; world.processes().length > 0 && patience > 0; patience--) await pause(LOOK_MS)
  const left = new Map([...ofRuns, ...world.processes()].map((one) => [one.pid, one.argv.join(' ').trim()]))
  return [...left].map(([pid, command]) => `${pid} ${command}`)
}

function progressLine() {
  const ended = tasks.length - live().length
  const all = Object.values(struck).reduce((sum, n) => sum + n, 0)
  const waiting = live().map(({ phase }) => phase ?? '-')
  const clock = `${Math.round((Date.now() - startedAt) / 1000)} s`
  return `${clock.padStart(6)}  ${tasks.length} tasks, ${ended} ended, ${all} faults; now: ${waiting.join(' ')}`
}

function summarise({ tasks: all, strangers, resumes, retries }, orphans) {
  const lost = all.flatMap(({ id, lost }) => lost.map((what) => `${id}: ${what}`))
  const twice = [
    ...all.flatMap(({ id, twice }) => twice.map((what) => `${id}: ${what}`)),
    ...strangers.map((id) => `${id}: nobody asked for it`),
  ]
  const summary = {
    minutes,
    seed,
    seconds: Math.round((Date.now() - startedAt) / 1000),
    faults: struck,
    runs: resumes,
    pauses: retries,
    questions: { answered: counts.answered, decided: counts.decided, brought_back: counts.broughtBack },
    repeated_by_agents: all.reduce((sum, { again }) => sum + again, 0),
    tasks: all,
    lost,
    twice,
    orphans,
  }
  if (values.json) console.log(JSON.stringify(summary, null, 2))
  else for (const line of summaryLines(summary)) say(line)
  return lost.length + twice.length + orphans.length === 0
}

function summaryLines({ faults, runs, pauses, questions, tasks: all, repeated_by_agents, ...rest }) {
  const list = (map) => Object.entries(map).map(([name, n]) => `${name} ${n}`)
  const byKind = {}
  for (const { kind, ended } of all) {
    const key = `${kind} → ${ended}:`
    byKind[key] = (byKind[key] ?? 0) + 1
  }
  return [
    '',
    `${all.length} tasks in ${rest.seconds} s (seed ${seed}):`,
    ...list(byKind).map((line) => `  ${line}`),
    `faults: ${list(faults).join(', ')}`,
    `runs: ${list(runs).join(', ')}; pauses before a retry: ${pauses}`,
    `questions of agents answered: ${questions.answered}; of Holdfast decided: ${questions.decided}; tasks brought back: ${questions.brought_back}`,
    `steps that an agent itself repeated, killed before it noted them: ${repeated_by_agents}`,
    ...['lost', 'twice', 'orphans'].flatMap((name) => rest[name].map((what) => `${name}: ${what}`)),
    `lost: ${rest.lost.length}, done twice: ${rest.twice.length}, orphans: ${rest.orphans.length}`,
  ]
}
