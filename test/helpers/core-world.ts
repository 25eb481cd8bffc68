// The core on real adapters inside the test's own process, with hands on the clock. There is no slot: nothing launches.
// core-in-time.ts is the one in which things launch, and time passes in a moment.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scriptedDriver } from '../../src/agents/scripted/driver.ts'
import { homePaths } from '../../src/domain/names/home.ts'
import { asNodeId } from '../../src/domain/names/ids.ts'
import type { Config } from '../../src/domain/settings/config.ts'
import { mergeConfig } from '../../src/domain/settings/merge-config.ts'
import { FileHandoff } from '../../src/handoff/file-handoff.ts'
import { fileRoles } from '../../src/handoff/roles.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { CreateRequest } from '../../src/supervisor/starting/create-request.ts'
import { allowedDir } from '../../src/supervisor/starting/workspaces.ts'
import { Supervisor } from '../../src/supervisor/supervisor.ts'
import type { Ports } from '../../src/supervisor/task/core.ts'
import { systemClock } from '../../src/system/clock.ts'
import { replaceFile } from '../../src/system/disk/replace-file.ts'
import { HandlingFile } from '../../src/system/handling-file.ts'
import { DiskHomeFiles } from '../../src/system/home/home-files.ts'
import { systemIds } from '../../src/system/ids.ts'
import { openLog } from '../../src/system/logs/logger.ts'
import { gzipPacking } from '../../src/system/logs/packing.ts'
import { filePlaces } from '../../src/system/places/places.ts'
import { processIdentities } from '../../src/system/processes/identities.ts'
import { LinuxProcesses } from '../../src/system/processes/processes.ts'
import { startApart } from '../../src/system/processes/start-apart.ts'
import { FileRunFiles } from '../../src/system/run-files/file-run-files.ts'
import { fileTrust } from '../../src/system/settings/file-trust.ts'
import { SignedTokens } from '../../src/system/tokens/signed-tokens.ts'
import { ShimVerifier } from '../../src/system/verify/shim-verifier.ts'
import { TmuxTerminal } from '../../src/tmux/tmux-terminal.ts'
import { putMigratedDatabase } from './migrated-database.ts'
import { noRepository } from './no-repository.ts'
import { tempDir } from './temp-dir.ts'

export const startCore = (settings: Partial<Config> = {}) => {
  const clock = { ...systemClock, wall: systemClock.now(), now: () => clock.wall }
  return coreWith(settings, ({ tmuxSocket }) => ({
    clock,
    terminal: new TmuxTerminal({
      tmuxPath: 'tmux',
      socket: tmuxSocket,
      env: {},
      clock,
      processes: processIdentities(),
    }),
    apart: startApart(process.env.PATH ?? ''),
    processes: new LinuxProcesses(),
  }))
}

/** The core with these ports, and all others real; but it finds no repository anywhere, for which git would be started. */
export async function coreWith<P extends Pick<Ports, 'clock' | 'terminal' | 'apart' | 'processes'>>(
  settings: Partial<Config>,
  portsIn: (home: ReturnType<typeof homePaths>) => P,
) {
  const root = tempDir()
  const home = homePaths(join(root, 'h'))
  const project = join(root, 'project')
  for (const dir of [home.home, home.runs, home.exits, project])
    mkdirSync(dir, { recursive: true, mode: 0o700 })
  const ports = portsIn(home)
  const { clock, processes, terminal } = ports
  const node = { id: asNodeId('node-1'), host: 'test', pid: process.pid, version: 'test' }
  await putMigratedDatabase(home.database)
  const store = await openStore({ path: home.database, node, clock })
  const handoff = new FileHandoff({ home, clock, packing: gzipPacking, replaceFile, terminal })
  onTestFinished(async () => {
    await handoff.closeAll()
    await store.close()
  })
  const runFiles = new FileRunFiles({
    home,
    shimSource: 'src/system/run-files/shim.sh',
    ownCommand: [process.execPath, 'cli.cjs'],
  })
  const tokens = new SignedTokens({
    keyFile: home.tokenKeys,
    clock,
    lifetimeMs: settings['token.lifetime'] ?? 15 * 60_000,
    home: 'home-1',
  })
  const shell = { home, runFiles, processes, clock: systemClock, path: process.env.PATH ?? '' }
  const config = { ...mergeConfig([]).config, maxConcurrent: 0, ...settings }
  const supervisor = new Supervisor(
    {
      verifier: new ShimVerifier(shell),
      workTree: noRepository,
      store,
      handoff,
      homeFiles: new DiskHomeFiles({ home, clock, packing: gzipPacking }),
      handling: new HandlingFile(home.handling),
      ...ports,
      runFiles,
      tokens,
      mcpServer: { name: 'holdfast', command: 'node', args: ['cli.cjs', 'mcp'] },
      roles: fileRoles({ userDir: join(root, 'user'), trust: fileTrust(join(root, 'user')) }),
      places: filePlaces,
      driver: () => scriptedDriver({ executable: ['scripted-agent'] }),
      agents: [],
      ids: systemIds,
      log: openLog(home.daemonLog),
    },
    config,
  )
  const { core } = supervisor
  const place = await allowedDir(project, { by: 'test', home: undefined, isWideMeant: false }, core)
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
  return { ...ports, supervisor, core, config, home, project, request }
}
