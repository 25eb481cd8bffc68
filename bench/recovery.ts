import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Commits, openCommits } from './lib/commits.ts'
import { type Daemon, startDaemon } from './lib/daemon.ts'
import { built, type Home, makeHome } from './lib/home.ts'
import { makeLightProgram } from './lib/light-program.ts'
import { installPm2, startUnderPm2 } from './lib/pm2.ts'
import { limitRow, overRow, type Row, report } from './lib/report.ts'
import { until } from './lib/until.ts'

/** How many die at once, and how often. */
const BLOWS = [
  { count: 1, rounds: 100 },
  { count: 20, rounds: 5 },
  { count: 100, rounds: 2 },
] as const
const RECORDED = { share: 0.99, ms: 100 }
const OVER_START_MS = 500
/** Every retry is like the first one: at once. */
const AT_ONCE = 'maxConcurrent: 120\nretries: 1000\nbackoff.base: 0s\ncrashLoop.deaths: 1000\n'

const PROMPT = 'do: hang'
/** Of a new or a resumed session: who it is, and what it was told. */
const FIRST_WORDS = 2

/** Wall clock, as files are stamped, but finer. */
const now = () => performance.timeOrigin + performance.now()

async function startTasks(home: Home, daemon: Daemon, agent: string, count: number): Promise<void> {
  const asked = { prompt: PROMPT, agent, dir: home.project, env: { PATH: home.env.PATH }, allow_dir: true }
  await Promise.all(Array.from({ length: count }, () => daemon.ask('POST', '/api/tasks', asked)))
}

/** From the spawn of so many agents at once until each has said its first words, without anybody in between. */
async function ownStart(home: Home, count: number): Promise<number[]> {
  const from = now()
  const files = Array.from({ length: count }, (_, n) => join(home.root, `own-${count}-${n}`))
  const agents = files.map((file) => {
    const out = openSync(file, 'w')
    const agent = spawn(process.execPath, [built('scripted-agent.js'), '--json'], {
      env: home.env,
      stdio: ['pipe', out, 'ignore'],
    })
    closeSync(out)
    agent.stdin!.end(PROMPT)
    return agent
  })
  await until('their first words', () => files.every(hasSpoken), { everyMs: 20 })
  for (const agent of agents) agent.kill('SIGKILL')
  return files.map((file) => statSync(file).mtimeMs - from)
}

const hasSpoken = (file: string) => readFileSync(file, 'utf8').split('\n').length > FIRST_WORDS

type Deaths = { readonly recorded: number[]; readonly exists: number[]; readonly speaks: number[] }

/** Scripted agents at work, and their run directories. */
class Flock {
  readonly #home: Home
  readonly #commits: Commits
  readonly #known = new Set<string>()
  #runs: string[] = []

  constructor(home: Home, commits: Commits) {
    this.#home = home
    this.#commits = commits
  }

  async gather(count: number): Promise<void> {
    const { runs } = this.#home.paths
    const speaking = () =>
      readdirSync(runs)
        .filter((run) => !this.#known.has(run))
        .map((run) => join(runs, run))
        .filter((run) => isThere(join(run, 'pid')) && hasSpoken(join(run, 'events.jsonl')))
    const options = { withinMs: 120_000, everyMs: 50 }
    const fresh = () => {
      const found = speaking()
      return found.length >= count && found
    }
    this.#runs = await until(`${count} agents at work`, fresh, options)
    for (const run of this.#runs) this.#known.add(run.slice(runs.length + 1))
  }

  async killAll(deaths: Deaths): Promise<void> {
    const { length } = this.#runs
    const after = this.#commits.last()
    const from = now()
    for (const run of this.#runs) process.kill(pidOf(run), 'SIGKILL')
    const recorded = await this.#commits.arrivals('task_requeued', length, after)
    await this.#commits.arrivals('task_agent_started', length, after)
    await this.gather(length)
    deaths.recorded.push(...recorded.map((at) => performance.timeOrigin + at - from))
    deaths.exists.push(...this.#runs.map((run) => statSync(join(run, 'pid')).ctimeMs - from))
    deaths.speaks.push(...this.#runs.map((run) => statSync(join(run, 'events.jsonl')).mtimeMs - from))
  }
}

const pidOf = (run: string) => Number(readFileSync(join(run, 'pid'), 'utf8').split(' ')[0])
const isThere = (file: string) => statSync(file, { throwIfNoEntry: false }) !== undefined

type Blow = (typeof BLOWS)[number]

async function scripted({ count, rounds }: Blow): Promise<Row[]> {
  const home = makeHome(AT_ONCE)
  const daemon = await startDaemon(home)
  const commits = openCommits(home)
  const flock = new Flock(home, commits)
  const deaths: Deaths = { recorded: [], exists: [], speaks: [] }
  const start: number[] = []
  await startTasks(home, daemon, 'scripted', count)
  await flock.gather(count)
  for (let round = 0; round < rounds; round++) {
    start.push(...(await ownStart(home, count)))
    await flock.killAll(deaths)
  }
  commits.close()
  home.end()
  return [
    limitRow(`${count} killed → death recorded`, start, deaths.recorded, count === 1 ? RECORDED : undefined),
    limitRow('… → resumed process exists', start, deaths.exists),
    overRow('… → resumed agent has its prompt', start, deaths.speaks, OVER_START_MS),
  ]
}

/** The same program, killed the same way, under Holdfast and under pm2. */
async function light({ count, rounds }: Blow, pm2: string): Promise<Row> {
  const root = makeHome().root
  const ours = makeLightProgram(root, 'ours')
  const home = makeHome(`${AT_ONCE}agents: {light: {argv: ["${ours.script}"]}}\n`)
  const theirs = makeLightProgram(home.root, 'theirs')
  const daemon = await startDaemon(home)
  await startTasks(home, daemon, 'light', count)
  await ours.started(count)
  startUnderPm2(pm2, home, theirs.script, count)
  await theirs.started(count)
  const took = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    took.theirs.push(...(await theirs.killed()))
    took.ours.push(...(await ours.killed()))
  }
  home.end()
  return limitRow(`${count} light programs, against pm2`, took.theirs, took.ours)
}

const pm2 = installPm2(makeHome())
const rows: Row[] = []
for (const blow of BLOWS) rows.push(...(await scripted(blow)))
if (pm2 !== undefined) for (const blow of BLOWS) rows.push(await light(blow, pm2))
const floors = `floor: as many of the same agent, started at once without Holdfast, until they have their prompts; ${
  pm2 === undefined ? 'pm2 could not be installed' : 'last rows: pm2 restarts the same program'
}`
report(`How long from kill -9 of agents until they are resumed? (at once, without a pause; ${floors})`, rows)
process.exit(0)
