// Builds dist/: CLI, daemon, scripted agent and OpenCode's bridge, one file each. In the CLI's file every command is evaluated only when
// it is called; as CommonJS, because ES modules load every `node:` import at once (docs/adr/0001).
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const root = new URL('..', import.meta.url).pathname
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const fresh = `${root}dist.new`
rmSync(fresh, { recursive: true, force: true })

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
  legalComments: 'none',
  define: { 'process.env.HOLDFAST_BUILD_VERSION': JSON.stringify(version) },
  external: ['@photostructure/sqlite', 'pg-native'],
}
// Bundled CommonJS (pg, pino) asks for require; an ES module has to bring its own.
const requireBanner = {
  js: "import { createRequire as hfCreateRequire } from 'node:module'\nconst require = hfCreateRequire(import.meta.url)",
}
const node = { js: '#!/usr/bin/env node' }
// Together larger than the rest of the CLI, and needed by few of its commands: files of their own.
const beside = (filter, path) => ({
  name: `beside:${path}`,
  setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
})
const drivers = `export * from './src/agents/all.ts'\nexport * from './src/agents/custom.ts'`

await Promise.all([
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: `${fresh}/cli.cjs`,
    format: 'cjs',
    minify: true,
    banner: node,
    plugins: [beside(/^yaml$/, './yaml.cjs'), beside(/\/agents\/(all|custom)\.ts$/, './agents.cjs')],
  }),
  build({
    ...common,
    stdin: { contents: drivers, resolveDir: root, loader: 'ts' },
    outfile: `${fresh}/agents.cjs`,
    format: 'cjs',
    minify: true,
  }),
  build({ ...common, entryPoints: ['yaml'], outfile: `${fresh}/yaml.cjs`, format: 'cjs', minify: true }),
  build({ ...common, entryPoints: { daemon: 'src/daemon/main.ts' }, outdir: fresh, banner: requireBanner }),
  build({
    ...common,
    entryPoints: {
      'scripted-agent': 'src/agents/scripted/main.ts',
      'opencode-bridge': 'src/agents/opencode-bridge/main.ts',
    },
    outdir: fresh,
    minify: true,
    banner: node,
  }),
])
copyFileSync(`${root}src/system/shim.sh`, `${fresh}/shim.sh`)
for (const bin of ['cli.cjs', 'scripted-agent.js', 'shim.sh']) chmodSync(`${fresh}/${bin}`, 0o755)
rmSync(`${root}dist.old`, { recursive: true, force: true })
try {
  renameSync(`${root}dist`, `${root}dist.old`)
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}
renameSync(fresh, `${root}dist`)
rmSync(`${root}dist.old`, { recursive: true, force: true })
