// Builds dist/: CLI, daemon, scripted agent and OpenCode's bridge, one file each, beside the CLI what few of its commands need, and
// the page.
// In the CLI's files every command is evaluated only when it is called; as CommonJS, because ES modules load every `node:` import at
// once (docs/adr/0001).
// `--out <dir>` builds elsewhere; `--metafile <file>` also writes what esbuild tells of every bundle.
import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { buildPage } from './build-page.mjs'
import { writeTypes } from './client-types.mjs'
import { thirdPartyText } from './third-party.mjs'

const root = new URL('..', import.meta.url).pathname
const { values } = parseArgs({ options: { out: { type: 'string' }, metafile: { type: 'string' } } })
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const out = resolve(values.out ?? `${root}dist`)
const fresh = `${out}.new`
rmSync(fresh, { recursive: true, force: true })

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
  legalComments: 'eof',
  metafile: true,
  define: {
    'process.env.HOLDFAST_BUILD_VERSION': JSON.stringify(version),
    // What ws may use instead of its own code is not in the package.
    'process.env.WS_NO_BUFFER_UTIL': '"1"',
    'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
  },
  external: ['@photostructure/sqlite', '@lydell/node-pty', 'pg-native'],
}
// Bundled CommonJS (pg, ajv) asks for require; an ES module has to bring its own.
const requireBanner = {
  js: "import { createRequire as hfCreateRequire } from 'node:module'\nconst require = hfCreateRequire(import.meta.url)",
}
/** A shell calls these on every press of Tab. */
const OFTEN = new Set(['set-up/completion.ts', 'set-up/help.ts'])
const node = { js: '#!/usr/bin/env node' }
// Together larger than the rest of the CLI, and needed by few of its commands: files of their own.
const beside = (filter, path) => ({
  name: `beside:${path}`,
  setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
})
// Node reads every byte of a file before it runs it, so that what is seldom called lies in a file of its own. The CLI gets a stub.
const seldom = [
  'src/cli/starting/reach-daemon.ts',
  'src/cli/commands/watch/report.ts',
  ...['orchestrate', 'put-away', 'runtime', 'set-up', 'threads'].flatMap((group) =>
    readdirSync(`${root}src/cli/commands/${group}`).flatMap((name) =>
      OFTEN.has(`${group}/${name}`) ? [] : [`src/cli/commands/${group}/${name}`],
    ),
  ),
]
/** The board is drawn by one command alone, which reads nothing else. */
const BOARD = 'src/cli/commands/watch/top.ts'
const seldomEntry = `module.exports = {${seldom.map((path) => `'${path}': () => require('./${path}')`).join(',')}}`
const seldomStubs = {
  name: 'seldom',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
      const name = relative(root, resolve(resolveDir, path))
      if (name === BOARD && kind !== 'entry-point') return { path: name, namespace: 'board' }
      return seldom.includes(name) ? { path: name, namespace: 'seldom' } : undefined
    })
    // Not by import(): that would load Node's loader of ES modules first.
    onLoad({ filter: /.*/, namespace: 'board' }, () => ({
      contents: `module.exports = require('./top.cjs')`,
    }))
    onLoad({ filter: /.*/, namespace: 'seldom' }, ({ path }) => ({
      contents: `module.exports = require('./seldom.cjs')['${path}']()`,
    }))
  },
}
const drivers = `export * from './src/agents/all.ts'\nexport * from './src/agents/custom/driver.ts'`

/** Half a megabyte: the daemon loads it with the first request for tools, if there ever is one. */
const mcpBeside = beside(/\/mcp\/main\.ts$/, './mcp.js')
/** Nearly as much: a daemon that sends traces loads it when it starts, and no other. */
const tracesBeside = beside(/\/traces\/otlp\/main\.ts$/, './traces.js')
/** Loaded with the first e-mail, if there ever is one. */
const mailBeside = beside(/^nodemailer$/, './mail.js')
const alsoBeside = [
  beside(/^yaml$/, './yaml.cjs'),
  beside(/\/agents\/(all|custom\/driver)\.ts$/, './agents.cjs'),
  beside(/\/mcp\/call-tool\.ts$/, './tools.cjs'),
  mcpBeside,
]

/** The files of the CLI that stand beside its first one. */
const parts = ['seldom', 'top'].map((name) => beside(new RegExp(`^\\./${name}\\.cjs$`), `./${name}.cjs`))

/** The client of the HTTP API, for programs of others; for browsers without anything of Node. */
const client = { ...common, minify: true, metafile: true }
const built = await Promise.all([
  build({
    ...client,
    entryPoints: ['src/client/node.ts'],
    outfile: `${fresh}/client/node.js`,
    banner: requireBanner,
  }),
  build({
    ...client,
    platform: 'browser',
    target: 'es2022',
    entryPoints: ['src/client/browser.ts'],
    outfile: `${fresh}/client/browser.js`,
  }),
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: `${fresh}/cli.cjs`,
    format: 'cjs',
    minify: true,
    banner: node,
    plugins: [...parts, seldomStubs, ...alsoBeside],
  }),
  build({
    ...common,
    entryPoints: [BOARD],
    outfile: `${fresh}/top.cjs`,
    format: 'cjs',
    minify: true,
    plugins: [...parts, seldomStubs, ...alsoBeside],
  }),
  build({
    ...common,
    stdin: { contents: seldomEntry, resolveDir: root },
    outfile: `${fresh}/seldom.cjs`,
    format: 'cjs',
    minify: true,
    plugins: alsoBeside,
  }),
  build({
    ...common,
    stdin: { contents: drivers, resolveDir: root, loader: 'ts' },
    outfile: `${fresh}/agents.cjs`,
    format: 'cjs',
    minify: true,
  }),
  build({
    ...common,
    entryPoints: ['src/mcp/call-tool.ts'],
    outfile: `${fresh}/tools.cjs`,
    format: 'cjs',
    minify: true,
  }),
  build({
    ...common,
    entryPoints: { mcp: 'src/mcp/main.ts', traces: 'src/traces/otlp/main.ts' },
    outdir: fresh,
    minify: true,
    banner: requireBanner,
  }),
  build({
    ...common,
    stdin: { contents: "export { createTransport } from 'nodemailer'", resolveDir: root },
    outfile: `${fresh}/mail.js`,
    minify: true,
    banner: requireBanner,
  }),
  build({ ...common, entryPoints: ['yaml'], outfile: `${fresh}/yaml.cjs`, format: 'cjs', minify: true }),
  build({
    ...common,
    entryPoints: { daemon: 'src/daemon/main.ts' },
    outdir: fresh,
    banner: requireBanner,
    plugins: [mcpBeside, tracesBeside, mailBeside],
  }),
  build({
    ...common,
    entryPoints: {
      'scripted-agent': 'src/agents/scripted/program/main.ts',
      'opencode-bridge': 'src/agents/opencode/bridge/main.ts',
    },
    outdir: fresh,
    minify: true,
    banner: node,
  }),
])
const page = await buildPage(root, out, fresh)
writeTypes(root, `${fresh}/client/types`)
const inputs = Object.assign({}, ...built.map(({ metafile }) => metafile.inputs))
const outputs = Object.assign(
  { [`${fresh}/web`]: { inputs: Object.fromEntries(page.map((path) => [path, {}])) } },
  ...built.map(({ metafile }) => metafile.outputs),
)
if (values.metafile) writeFileSync(values.metafile, JSON.stringify({ inputs, outputs }))
// What was only looked at is not in any of them.
const bundled = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
writeFileSync(`${fresh}/THIRD-PARTY.txt`, thirdPartyText(root, bundled))
copyFileSync(`${root}src/system/run-files/shim.sh`, `${fresh}/shim.sh`)
copyFileSync(`${root}SKILL.md`, `${fresh}/SKILL.md`)
for (const bin of ['cli.cjs', 'scripted-agent.js', 'shim.sh']) chmodSync(`${fresh}/${bin}`, 0o755)
rmSync(`${out}.old`, { recursive: true, force: true })
try {
  renameSync(out, `${out}.old`)
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}
renameSync(fresh, out)
rmSync(`${out}.old`, { recursive: true, force: true })
