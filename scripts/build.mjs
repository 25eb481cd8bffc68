// Builds dist/: CLI, daemon and scripted agent, one file each. In the CLI's file every command is evaluated only when
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
// As large as the whole CLI, and needed by few of its commands: a file of its own.
const yamlBeside = {
  name: 'yaml-beside',
  setup: ({ onResolve }) => onResolve({ filter: /^yaml$/ }, () => ({ path: './yaml.cjs', external: true })),
}

await Promise.all([
  build({
    ...common,
    entryPoints: ['src/cli/main.ts'],
    outfile: `${fresh}/cli.cjs`,
    format: 'cjs',
    minify: true,
    banner: node,
    plugins: [yamlBeside],
  }),
  build({ ...common, entryPoints: ['yaml'], outfile: `${fresh}/yaml.cjs`, format: 'cjs', minify: true }),
  build({ ...common, entryPoints: { daemon: 'src/daemon/main.ts' }, outdir: fresh, banner: requireBanner }),
  build({
    ...common,
    entryPoints: { 'scripted-agent': 'src/agents/scripted/main.ts' },
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
