// Owns the reckoning: what became of each task, from the store, the agents' own records, the files and the process table.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parse, readOr } from './world.mjs'

const VIEW = { completed: 'COMPLETED', failed: 'FAILED', cancelled: 'KILLED' }

/** After the daemon stopped: the store is nobody's. */
export function reckon(tasks, world) {
  const store = readStore(join(world.home, 'holdfast.db'))
  const sessions = readSessions(world.sessions, store.runs)
  const reckoned = tasks.map((task) => reckonTask(task, store, sessions, world))
  const known = new Set(tasks.map(({ id }) => id))
  const strangers = store.tasks.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  return { tasks: reckoned, strangers, resumes: countRuns(store), retries: sum(store.retried) }
}

function reckonTask({ id, story, eventsDeleted, twoAtOnce }, store, sessions, world) {
  const row = store.tasks.find((task) => task.id === id)
  const runs = store.runs.filter((run) => run.task_id === id)
  const mine = sessions.filter((session) => session.task === id)
  const anew = runs.filter(({ how, state }) => /fresh|with_context/.test(how) && state !== 'void').length
  const written = readOr(join(world.project, 'work', `${story.name}.txt`))
    .split('\n')
    .filter(Boolean)
  const ended = row === undefined ? 'not in the store' : (VIEW[row.status] ?? `${row.status} ${row.phase}`)
  const lost = [
    ...(ended === story.ends || (eventsDeleted && gaveUpUnheard(story, ended))
      ? []
      : [`ended as ${ended}, not ${story.ends}: ${row?.reason}`]),
    ...story.lines.filter((line) => !written.includes(line)).map((line) => `never done: ${line}`),
    ...story.prompts
      .filter((prompt) => heard(prompt, mine) === 0)
      .map((prompt) => `never told: ${prompt.slice(0, 40)}`),
    ...(eventsDeleted ? [] : missingWords(story, runs, id, world)),
  ]
  const twice = [
    ...story.prompts.flatMap((prompt) => {
      const times = heard(prompt, mine)
      return times > 1 + anew ? [`told ${times} times, begun anew ${anew} times: ${prompt.slice(0, 40)}`] : []
    }),
    ...story.lines.flatMap((line) => {
      const times = written.filter((text) => text === line).length
      const may = livesAt(line, mine)
      return times > Math.max(1, may) ? [`done ${times} times in ${may} lives: ${line}`] : []
    }),
    ...(twoAtOnce ? [`two agents at once: ${twoAtOnce}`] : []),
    ...endings(id, store),
  ]
  const again = story.lines.filter((line) => written.filter((text) => text === line).length > 1).length
  return { id, kind: story.kind, ended, runs: runs.length, anew, again, lost, twice }
}

/** The word of an agent that gives up goes with its deleted file; its exit alone looks like a crash, after which it is resumed. */
const gaveUpUnheard = ({ ends }, ended) => ends === 'FAILED' && ended === 'COMPLETED'

const heard = (prompt, sessions) =>
  sessions.reduce(
    (times, { facts }) => times + facts.filter((fact) => fact.heard?.includes(prompt)).length,
    0,
  )

/** In so many lives its step was the next one: killed between doing and noting it, an agent does it again by itself. */
function livesAt(line, sessions) {
  return sum(
    sessions.map(({ facts }) => {
      const at = facts.flatMap((fact) => fact.steps ?? []).findIndex((step) => step.endsWith(line))
      const met = new Set()
      let [life, done] = [0, 0]
      for (const fact of facts) {
        life = fact.life ?? life
        done = fact.step ?? done
        if (done === at) met.add(life)
      }
      return met.size
    }),
  )
}

/** What it said stands in output.log as often as it said it. A terminal's output is drawn, not said. */
function missingWords({ name, isTerminal }, runs, id, world) {
  if (isTerminal) return []
  const times = (text, words) => text.split(words).length - 1
  const events = runs.map((run) => readOr(join(world.home, 'runs', run.id, 'events.jsonl')))
  const said = sum(events.map((text) => times(text, `"text":"${name} begins"`)))
  const shown = times(readOr(join(world.home, 'tasks', id, 'output.log')), `agent: ${name} begins`)
  return said === shown ? [] : [`said ${said} times, shown ${shown} times: ${name} begins`]
}

/** A task ends once, and once more each time it was brought back. */
function endings(id, { transitions }) {
  const mine = transitions.filter(({ task_id }) => task_id === id)
  const ends = mine.filter(({ event }) => event in VIEW).length
  const reopened = mine.filter(({ event }) => event === 'reopened').length
  return ends > 1 + reopened ? [`ended ${ends} times, brought back ${reopened} times`] : []
}

function readStore(path) {
  const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24
  const { DatabaseSync } = createRequire(import.meta.url)(
    isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite',
  )
  const db = new DatabaseSync(path)
  const all = (sql) => db.prepare(sql).all()
  const store = {
    tasks: all('SELECT id, status, phase, reason, retries FROM tasks'),
    runs: all('SELECT id, task_id, number, state, how FROM runs ORDER BY task_id, number'),
    transitions: all('SELECT task_id, number, event, reason FROM task_transitions ORDER BY task_id, number'),
    retried: all("SELECT count(*) AS n FROM task_transitions WHERE event = 'backed_off'").map(({ n }) => n),
  }
  db.close()
  return store
}

const countRuns = ({ runs }) =>
  Object.fromEntries(
    ['start', 'resume', 'with_context', 'fresh'].map((way) => [
      way,
      runs.filter(({ how, state }) => how === way && state !== 'void').length,
    ]),
  )

const sum = (numbers) => numbers.reduce((total, n) => total + Number(n), 0)

/** The agents' own files: everything they were told, and each step they finished. */
function readSessions(dir, runs) {
  return readdirSync(dir).map((name) => {
    const facts = readOr(join(dir, name))
      .split('\n')
      .flatMap((line) => parse(line) ?? [])
    const run = runs.find(({ id }) => facts.some((fact) => fact.run === id))
    return { task: run?.task_id, facts }
  })
}
