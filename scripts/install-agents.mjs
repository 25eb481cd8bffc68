// Installs the agent CLIs that the tests run with, in exact versions, into a cache outside the repository.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'

const AT_ONCE = 2
const agents = JSON.parse(readFileSync(new URL('../test/real-agents/versions.json', import.meta.url), 'utf8'))
// test/real-agents/agent-home.ts looks in the same place.
const cache = join(
  process.env.HOLDFAST_TEST_AGENTS || process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'holdfast-test-agents',
)

mkdirSync(cache, { recursive: true })
dropLeftovers()
const waiting = Object.entries(agents)
const failures = []
await Promise.all(Array.from({ length: AT_ONCE }, installNext))
if (failures.length > 0) {
  for (const failure of failures) console.error(failure)
  console.error('The tests with real agents need them: look at the npm output above, then try again.')
  process.exit(1)
}

async function installNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [agent, packages] = next
    await install(agent, packages).catch((error) => failures.push(`${agent}: ${error.message}`))
  }
}

/** A directory with its final name is complete: it is filled under another name, tried, then renamed. */
async function install(agent, packages) {
  const [version] = Object.values(packages)
  const home = join(cache, `${agent}-${version}`)
  if (existsSync(home)) return console.log(`${agent} ${version} is there.`)
  console.log(`${agent} ${version} is being installed …`)
  const scratch = join(cache, `.${agent}.${process.pid}`)
  try {
    mkdirSync(scratch)
    await fill(scratch, packages)
    await tryIt(scratch, agent, version)
    moveInto(home, scratch)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  console.log(`${agent} ${version} is installed in ${home}.`)
}

async function fill(prefix, packages) {
  const exact = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--prefix', prefix, '--ignore-scripts=false', ...quiet, ...exact], process.env)
}

async function tryIt(prefix, agent, version) {
  const bin = join(prefix, 'node_modules', '.bin')
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: join(prefix, 'home'), PI_OFFLINE: '1' }
  const said = await run(join(bin, agent), ['--version'], env)
  rmSync(env.HOME, { recursive: true, force: true })
  if (!said.includes(version)) throw new Error(`said "${said.trim()}" instead of ${version}`)
}

/** Another installer may have been faster: then theirs stays. */
function moveInto(home, scratch) {
  try {
    renameSync(scratch, home)
  } catch (error) {
    if (!existsSync(home)) throw error
  }
}

/** What an installer that was killed left behind. */
function dropLeftovers() {
  for (const name of readdirSync(cache)) {
    const pid = /^\.\w+\.(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(cache, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function run(program, args, env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [said, code] = await Promise.all([text(child.stdout), ended])
  if (code !== 0) throw new Error(`\`${program} ${args.join(' ')}\` ended with ${code}\n${said}`)
  return said
}
