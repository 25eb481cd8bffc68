// The core on real adapters inside the test's own process, with hands on the clock. tmux is not started: nothing launches.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scriptedDriver } from '../../src/agents/scripted.ts'
import type { Config } from '../../src/domain/config.ts'
import { homePaths } from '../../src/domain/home.ts'
import { asNodeId } from '../../src/domain/ids.ts'
import { mergeConfig } from '../../src/domain/merge-config.ts'
import { FileHandoff } from '../../src/handoff/file-handoff.ts'
import { fileRoles } from '../../src/handoff/roles.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { CreateRequest } from '../../src/supervisor/create-task.ts'
import { Supervisor } from '../../src/supervisor/supervisor.ts'
import { allowedDir } from '../../src/supervisor/workspaces.ts'
import { systemClock } from '../../src/system/clock.ts'
import { fileTrust } from '../../src/system/file-trust.ts'
import { HandlingFile } from '../../src/system/handling-file.ts'
import { HomeHouseFiles } from '../../src/system/house-files.ts'
import { systemIds } from '../../src/system/ids.ts'
import { openLog } from '../../src/system/logger.ts'
import { gzipPacking } from '../../src/system/packing.ts'
import { filePlaces } from '../../src/system/places.ts'
import { LinuxProcesses } from '../../src/system/processes.ts'
import { FileRunFiles } from '../../src/system/run-directory.ts'
import { ShimVerifier } from '../../src/system/verify/shim-verifier.ts'
import { TmuxTerminal } from '../../src/tmux/tmux-terminal.ts'
import { tempDir } from './temp-dir.ts'

export async function startCore(settings: Partial<Config> = {}) {
  const root = tempDir()
  const home = homePaths(join(root, 'h'))
  const project = join(root, 'project')
  for (const dir of [home.home, home.runs, home.exits, project])
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  const clock = { ...systemClock, wall: systemClock.now(), now: () => clock.wall }
  const node = { id: asNodeId('node-1'), host: 'test', pid: process.pid, version: 'test' }
  const store = await openStore({ path: home.database, node, clock })
  const handoff = new FileHandoff({ home, clock, packing: gzipPacking })
  onTestFinished(async () => {
    await handoff.closeAll()
    await store.close()
  })
  const runFiles = new FileRunFiles({ home, shimSource: 'src/system/shim.sh' })
  const processes = new LinuxProcesses()
  const shell = { home, runFiles, processes, clock: systemClock, path: process.env.PATH ?? '' }
  const supervisor = new Supervisor(
    {
      verifier: new ShimVerifier(shell),
      store,
      handoff,
      house: new HomeHouseFiles({ home, clock, packing: gzipPacking }),
      handling: new HandlingFile(home.handling),
      clock,
      terminal: new TmuxTerminal({ tmuxPath: 'tmux', socket: home.tmuxSocket, env: {}, clock }),
      runFiles,
      processes,
      roles: fileRoles({ userDir: join(root, 'user'), trust: fileTrust(join(root, 'user')) }),
      places: filePlaces,
      driver: () => scriptedDriver({ executable: ['scripted-agent'] }),
      agents: [],
      ids: systemIds,
      log: openLog(home.daemonLog),
    },
    { ...mergeConfig([]).config, ...settings },
  )
  const { core } = supervisor
  const place = await allowedDir(project, { by: 'test' }, core)
  const request = (prompt: string): CreateRequest => ({
    prompt,
    place,
    agent: 'scripted',
    role: undefined,
    model: undefined,
    name: undefined,
    mode: 'headless',
    converse: false,
    permission: 'default',
    extraDirs: [],
    priority: 'normal',
    tags: [],
    meta: {},
    callerEnv: {},
    setEnv: {},
    maxDurationMs: null,
    command: 'run',
    under: null,
    parentId: null,
    noQueue: false,
    by: 'test',
  })
  return { supervisor, core, clock, home, project, request }
}
