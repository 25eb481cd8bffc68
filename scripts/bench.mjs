// Answers the questions in bench/: `node scripts/bench.mjs [--dry] [name…]`. Budgets that are missed are printed, a broken bench fails.
import { execFileSync, fork } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url).pathname
const page = `${root}bench/README.md`
const all = readdirSync(`${root}bench`).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
const { values, positionals } = parseArgs({ allowPositionals: true, options: { dry: { type: 'boolean' } } })
const unknown = positionals.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(', ')}. There are: ${all.join(', ')}.`)
  process.exit(1)
}
const names = positionals.length > 0 ? positionals : all

// A copy of what is measured: a build in the middle of it changes nothing.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'hfbench')))
process.once('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }))
let current
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    // It ends what it started before its files are removed.
    if (current === undefined) process.exit(130)
    current.once('exit', () => process.exit(130)).kill('SIGTERM')
  })
symlinkSync(`${root}node_modules`, `${place}/node_modules`)
symlinkSync(`${root}test/fixtures`, `${place}/fixtures`)
symlinkSync(`${root}scripts`, `${place}/scripts`)
cpSync(`${root}dist`, `${place}/dist`, { recursive: true })
// It says what kind of modules they are; Node would have to guess.
cpSync(`${root}package.json`, `${place}/package.json`)
await build({
  absWorkingDir: root,
  entryPoints: names.map((name) => `bench/${name}.ts`),
  outdir: `${place}/bench`,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
  external: ['@photostructure/sqlite', 'pg-native', '@lydell/node-pty', 'playwright-core'],
  banner: {
    js: "import { createRequire as hfCreateRequire } from 'node:module'\nconst require = hfCreateRequire(import.meta.url)",
  },
})

const sections = new Map()
let broken = false
for (const name of names) {
  const loadBefore = loadavg()[0].toFixed(2)
  const answer = await run(name)
  if (answer === undefined) broken = true
  else sections.set(name, `${answer.question}\n\n${answer.table}\n\n${circumstances(loadBefore)}\n`)
}
if (!values.dry && sections.size > 0) writeFileSync(page, pageWith(sections))
process.exit(broken ? 1 : 0)

/** Undefined when it broke. */
function run(name) {
  // Reading certificates would slow every Node down that is measured; whoever installs something needs them.
  const { NODE_EXTRA_CA_CERTS: BENCH_CA_CERTS, ...own } = process.env
  const env = { ...own, TMPDIR: place, ...(BENCH_CA_CERTS && { BENCH_CA_CERTS }) }
  const bench = fork(`${place}/bench/${name}.mjs`, { env, execArgv: [] })
  current = bench
  let answer
  bench.on('message', (message) => {
    answer = message
  })
  return new Promise((resolve) => {
    bench.once('exit', (code) => {
      current = undefined
      if (code !== 0 || answer === undefined) console.error(`\n${name} broke (exit ${code}).`)
      resolve(code === 0 ? answer : undefined)
    })
  })
}

function circumstances(loadBefore) {
  const git = (...args) =>
    execFileSync('git', ['--no-optional-locks', ...args], { cwd: root, encoding: 'utf8' }).trim()
  const changed =
    git('status', '--porcelain', '--', 'src', 'bench', 'scripts', ':!bench/README.md') === ''
      ? ''
      : ' with uncommitted changes'
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, commit ${git('rev-parse', '--short', 'HEAD')}${changed}, load ${loadBefore} before.`
}

/** Sections that were not measured now stay, unless they are from another machine. */
function pageWith(fresh) {
  const machine = machineLine()
  const kept = readOr(page, '')
  const old = kept.includes(machine) ? kept.split(/^## /m).slice(1) : []
  const sections = new Map(
    old.map((text) => [text.split('\n', 1)[0], text.slice(text.indexOf('\n') + 1).trim()]),
  )
  for (const [name, text] of fresh) sections.set(name, text.trim())
  const body = all.filter((name) => sections.has(name)).map((name) => `## ${name}\n\n${sections.get(name)}\n`)
  return `${head(machine)}\n${body.join('\n')}`
}

function machineLine() {
  const { model } = cpus()[0]
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const tmux = execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()
  return `Machine: ${cpus().length} × ${model}, ${memory}, ${process.platform} ${release()}, node ${process.versions.node}, ${tmux}.`
}

function head(machine) {
  return `# Benchmarks

Made by \`npm run bench\`; \`npm run bench -- <name>\` measures one again, \`--dry\` leaves this page alone.
The floor is the least the machine could do, measured in the same run and, where it can be, in turns with the rest.
Measured is the median, with p95 (p99 from 100 samples on); ratio is measured by floor, at the quantile of the budget.
Machines differ, ratios less so: compare ratios. A high load before means noise; measure again.
Rows without a budget explain the row above them. A budget that is missed says **no**; it fails nothing.

${machine}
`
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
