// The main job in half a minute, without a model or a key: tasks of the scripted agent, a daemon killed in the middle, nothing lost.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
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

const stories = [
  [
    'write-notes',
    'do: say Reading the code\ndo: tool 3 grep\ndo: write notes.md Three findings\ndo: finish Wrote notes.md',
  ],
  [
    'fix-login',
    'do: say Looking at the login form\ndo: tool 4 tests\ndo: result {"status":"success","fixed":1}\ndo: finish Fixed',
  ],
  [
    'add-tests',
    'do: say Writing tests\ndo: tool 5 npm-test\ndo: write test.txt 12 tests\ndo: finish 12 tests added',
  ],
  ['update-docs', 'do: say Updating the docs\ndo: tool 4 spell\ndo: finish Docs updated'],
]
let failed = false
const startedAt = Date.now()
try {
  say('Holdfast demo: four tasks of the scripted agent, in a home of their own.\n')
  const ids = stories.map(
    ([name, script]) =>
      json(['run', '--agent', 'scripted', '--name', name, '--file', '-'], script).task.session_id,
  )
  await untilAll((task) => task.phase === 'working', ids)
  say(table())

  const { pid } = JSON.parse(readFileSync(join(env.HOLDFAST_HOME, 'daemon.json'), 'utf8'))
  process.kill(pid, 'SIGKILL')
  say(`\nkill -9 ${pid}: the daemon is gone, the agents work on. The next command starts another one.\n`)
  await untilAll((task) => task.completed_at !== null, ids, liveTable())
  if (!live) say(`\n${table()}`)

  const ended = ids.map((id) => ({ ...json(['status', id]), heard: told(id) }))
  say('\nWhat came of it:')
  for (const task of ended)
    say(`  ${task.session_id}  ${task.status}  told its prompt ${task.heard} time(s)  ${summary(task)}`)
  failed = ended.some((task) => task.status !== 'COMPLETED' || task.heard !== 1)
  const after = JSON.parse(readFileSync(join(env.HOLDFAST_HOME, 'daemon.json'), 'utf8')).pid
  say(
    `\n${ended.filter((task) => task.status === 'COMPLETED').length} of ${ids.length} tasks completed; daemon ${pid} was killed, daemon ${after} adopted its runs; ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`,
  )
} catch (error) {
  failed = true
  console.error(String(error.stderr ?? error.stack ?? error))
} finally {
  spawnSync(process.execPath, [cli, 'kill', '--all', '--force'], { cwd: project, env, stdio: 'ignore' })
  spawnSync(process.execPath, [cli, 'down'], { cwd: project, env, stdio: 'ignore' })
  if (failed && process.env.KEEP_DEMO) console.error(`kept: ${root}`)
  else rmSync(root, { recursive: true, force: true })
}
say(
  failed
    ? 'The demo did not end as it should.'
    : 'Nothing is left behind: home, tmux server and processes are gone.',
)
process.exit(failed ? 1 : 0)

function table() {
  return holdfast(['list']).trimEnd()
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

async function untilAll(check, ids, look = () => {}) {
  for (let patience = 200; patience > 0; patience--) {
    look()
    if (ids.every((id) => check(json(['status', id])))) return look()
    await pause(100)
  }
  throw new Error('the tasks did not get there in time')
}

/** The agent writes down every prompt it received. */
function told(id) {
  const session = json(['status', id]).agent_session_id
  const file = join(root, '.local/state/holdfast-scripted-agent/sessions', `${session}.jsonl`)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"heard"')).length
}

function summary(task) {
  const { result, ...rest } = JSON.parse(readFileSync(task.result_file, 'utf8'))
  return result ?? JSON.stringify(rest)
}
