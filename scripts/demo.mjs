// The main job in half a minute, without a model or a key: tasks of the scripted agent; one is killed, one asks, the daemon is killed; nothing is lost.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const cli = new URL('../dist/cli.cjs', import.meta.url).pathname
const root = realpathSync(mkdtempSync(join(tmpdir(), 'hfdemo')))
const project = join(root, 'project')
mkdirSync(project)
const env = {
  PATH: process.env.PATH,
  HOME: root,
  HOLDFAST_HOME: join(root, 'h'),
  LANG: 'C.UTF-8',
  TERM: process.env.TERM ?? 'dumb',
}
const holdfast = (args, input = '') =>
  execFileSync(process.execPath, [cli, ...args], { cwd: project, env, input, encoding: 'utf8' })
const json = (args, input) => JSON.parse(holdfast([...args, '--json'], input))
const say = (text) => console.log(text)
const live = process.stdout.isTTY === true
const paint = (code, text) => (live ? `\x1b[${code}m${text}\x1b[0m` : text)
const [BAD, GOOD, TYPED] = ['1;31', '1;32', '36']

const QUESTION = 'Which colour shall the button have?'
/** Each file gets one line per step: a step done twice would show. */
const stories = {
  'write-notes':
    'do: say Reading the code\ndo: tool 6 grep\ndo: write notes.md Three findings\ndo: finish Wrote notes.md',
  'fix-login':
    'do: say Looking at the login form\ndo: tool 7 tests\ndo: result {"status":"success","fixed":1}\ndo: finish Fixed',
  'add-tests':
    'do: append tests.txt first half\ndo: tool 6 npm-test\ndo: append tests.txt second half\ndo: finish Tests added',
  'pick-colour': `do: ask ${QUESTION} | red | blue\ndo: append button.txt painted\ndo: finish Painted`,
}
let failed = false
const startedAt = Date.now()
try {
  say('Holdfast demo: four tasks of the scripted agent, in a home of their own.\n')
  const ids = Object.fromEntries(Object.entries(stories).map(([name, script]) => [name, start(name, script)]))
  const all = Object.values(ids)
  await untilAll((task) => task.phase === 'working' || task.phase === 'asking', all)
  await until(() => linesOf('tests.txt').length === 1)
  say(table())

  const resumed = await killAgent(ids['add-tests'])
  await answerQuestion(ids['pick-colour'])
  const killed = killDaemon()
  await untilAll((task) => task.completed_at !== null, all, liveTable())
  if (!live) say(`\n${table()}`)

  const ended = all.map((id) => ({ ...json(['status', id]), heard: told(id) }))
  say('\nWhat came of it:')
  for (const task of ended)
    say(`  ${task.session_id}  ${task.status}  told its prompt ${task.heard} time(s)  ${summary(task)}`)
  say(`  tests.txt: ${linesOf('tests.txt').join(', ')}; button.txt: ${linesOf('button.txt').join(', ')}`)
  const completed = ended.filter((task) => task.status === 'COMPLETED').length
  failed =
    completed !== all.length ||
    ended.some((task) => task.heard !== 1) ||
    linesOf('tests.txt').join() !== 'first half,second half' ||
    linesOf('button.txt').join() !== 'painted'
  say(
    `\n${paint(failed ? BAD : GOOD, `${completed} of ${all.length} tasks completed`)}; agent ${resumed.killed} was killed and resumed as ${resumed.by}, 1 question was answered, daemon ${killed} was killed and daemon ${daemonPid()} adopted its runs; ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`,
  )
} catch (error) {
  failed = true
  console.error(String(error.stderr ?? error.stack ?? error))
} finally {
  spawnSync(process.execPath, [cli, 'kill', '--all', '--force'], { cwd: project, env, stdio: 'ignore' })
  spawnSync(process.execPath, [cli, 'down'], { cwd: project, env, stdio: 'ignore' })
  const left = processesOfDemo()
  if (left.length > 0) {
    failed = true
    console.error(`Still there: processes ${left.join(', ')}`)
  }
  if (failed && process.env.KEEP_DEMO) console.error(`kept: ${root}`)
  else rmSync(root, { recursive: true, force: true })
}
say(
  failed
    ? 'The demo did not end as it should.'
    : 'Nothing is left behind: home, tmux server and processes are gone.',
)
process.exit(failed ? 1 : 0)

function start(name, script) {
  const flags = script.includes('do: ask') ? ['--converse'] : []
  return json(['run', '--agent', 'scripted', '--name', name, '--file', '-', ...flags], script).task.session_id
}

/** In the middle of a tool. What it had done stays done, and its session goes on where it was. */
async function killAgent(id) {
  const killed = agentPid(id)
  process.kill(killed, 'SIGKILL')
  const from = Date.now()
  say(`\n${paint(BAD, `kill -9 ${killed}`)}: an agent is gone in the middle of its tool.`)
  await until(() => ![undefined, killed].includes(agentPid(id)))
  const by = agentPid(id)
  say(
    `${paint(GOOD, `Resumed as ${by}`)} after ${Date.now() - from} ms, by its session id. \`holdfast why\` tells:`,
  )
  await untilAll((task) => task.phase === 'working', [id])
  say(indented(holdfast(['why', id]).split('What happened:\n')[1]))
  return { killed, by }
}

async function answerQuestion(id) {
  await untilAll((task) => task.questions.length > 0, [id])
  say('\n`holdfast questions` shows what waits for a person:')
  say(indented(holdfast(['questions'])))
  say(paint(TYPED, `$ holdfast answer ${id} blue`))
  say(indented(holdfast(['answer', id, 'blue'])))
  // No further prompt will come: it ends with its turn.
  holdfast(['send', id, '--end'])
}

function killDaemon() {
  const pid = daemonPid()
  process.kill(pid, 'SIGKILL')
  say(
    `\n${paint(BAD, `kill -9 ${pid}`)}: the daemon is gone, the agents work on. The next command starts another one.\n`,
  )
  return pid
}

function daemonPid() {
  return JSON.parse(readFileSync(join(env.HOLDFAST_HOME, 'daemon.json'), 'utf8')).pid
}

/** Undefined while there is none. */
function agentPid(id) {
  const { run_id } = json(['status', id])
  const file = join(env.HOLDFAST_HOME, 'runs', run_id ?? 'none', 'pid')
  return Number(readOr(file).split(' ')[0]) || undefined
}

/** On a terminal no line is wider than it: the table is drawn over itself by counting lines. */
function table() {
  const lines = holdfast(['list']).trimEnd().split('\n')
  const width = live ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY
  return lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line)).join('\n')
}

/** On a terminal the table is drawn over itself; in a pipe it is printed once. */
function liveTable() {
  let drawn = 0
  return () => {
    if (!live && drawn > 0) return
    const text = table()
    if (drawn > 0) process.stdout.write(`\x1b[${drawn}A\x1b[J`)
    say(text)
    drawn = text.split('\n').length
  }
}

async function until(check, look = () => {}) {
  for (let patience = 200; patience > 0; patience--) {
    look()
    if (check()) return look()
    await pause(100)
  }
  throw new Error('the tasks did not get there in time')
}

function untilAll(check, ids, look) {
  return until(() => ids.every((id) => check(json(['status', id]))), look)
}

/** The agent writes down everything it was told: its prompt, and that it was interrupted. */
function told(id) {
  const { agent_session_id: session, task_prompt_file } = json(['status', id])
  const prompt = readFileSync(task_prompt_file, 'utf8').trim()
  const file = join(root, '.local/state/holdfast-scripted-agent/sessions', `${session}.jsonl`)
  return readOr(file)
    .split('\n')
    .filter((line) => line.includes('"heard"') && JSON.parse(line).heard.includes(prompt)).length
}

function summary(task) {
  const { result, ...rest } = JSON.parse(readFileSync(task.result_file, 'utf8'))
  return result ?? JSON.stringify(rest)
}

function linesOf(name) {
  return readOr(join(project, name)).split('\n').filter(Boolean)
}

function readOr(file, otherwise = '') {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

function indented(text) {
  return text.trimEnd().replace(/^(?=.)/gm, '  ')
}

/** Found by what they were given: arguments or environment below the demo's directory. */
function processesOfDemo() {
  return readdirSync('/proc')
    .filter((pid) => Number(pid) > 1 && Number(pid) !== process.pid)
    .filter((pid) =>
      ['cmdline', 'environ'].some((file) => readOr(`/proc/${pid}/${file}`).includes(`${root}/`)),
    )
}
