// A home, a project and a user of their own for one measurement. However the bench ends, no process of it stays; its
// files go with TMPDIR when all is measured: ext4 passes by inodes freed in the last half minute one by one, so that
// whatever creates files after a large removal would be measured slower than it is.
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homePaths } from '../../src/domain/names/home.ts'
import { asNodeId } from '../../src/domain/names/ids.ts'
import { openStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/system/clock.ts'
import { processesBelow } from './proc.ts'

/** The copy of dist/ that scripts/bench.mjs put beside the bundled bench: a build meanwhile changes nothing. */
export const built = (name: string) => new URL(`../dist/${name}`, import.meta.url).pathname
export const CLI = built('cli.cjs')

export type Home = ReturnType<typeof makeHome>

export function makeHome(config = '') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hfb')))
  const end = () => endProcesses(root)
  process.once('exit', end)
  const project = join(root, 'project')
  const user = join(root, 'user')
  const paths = homePaths(join(root, 'h'))
  for (const dir of [project, join(user, '.config/holdfast')]) mkdirSync(dir, { recursive: true })
  mkdirSync(paths.home, { mode: 0o700 })
  writeFileSync(join(user, '.config/holdfast/config.yaml'), `agent: scripted\n${config}`)
  const nodeId = asNodeId(randomUUID())
  writeFileSync(paths.nodeId, `${nodeId}\n`)
  // Nothing else is inherited; NODE_EXTRA_CA_CERTS alone would slow down every start of Node.
  const env = {
    PATH: process.env.PATH!,
    HOME: user,
    HOLDFAST_HOME: paths.home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  }
  const store = () =>
    openStore({
      path: paths.database,
      node: { id: nodeId, host: 'bench', pid: process.pid, version: '0' },
      clock: systemClock,
    })
  return {
    root,
    project,
    paths,
    env,
    nodeId,
    /** Only while no daemon runs: it takes the epoch. */
    store,
    end() {
      process.off('exit', end)
      end()
    },
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

function endProcesses(root: string): void {
  for (let left = processesBelow(root); left.length > 0; left = processesBelow(root)) {
    for (const pid of left) kill(pid)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
