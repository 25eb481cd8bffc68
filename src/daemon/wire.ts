// The only place where real adapters meet the core.
import { fileURLToPath } from 'node:url'
import { driversWith } from '../agents/all.ts'
import { customDrivers } from '../agents/custom/driver.ts'
import { driversByKind } from '../agents/registry.ts'
import { scriptedDriver } from '../agents/scripted/driver.ts'
import type { HomePaths } from '../domain/names/home.ts'
import type { Config } from '../domain/settings/config.ts'
import { FileHandoff } from '../handoff/file-handoff.ts'
import { fileRoles } from '../handoff/roles.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { Supervisor } from '../supervisor/supervisor.ts'
import { systemClock } from '../system/clock.ts'
import { replaceFile } from '../system/disk/replace-file.ts'
import { HandlingFile } from '../system/handling-file.ts'
import { DiskHomeFiles } from '../system/home/home-files.ts'
import { systemIds } from '../system/ids.ts'
import { gzipPacking } from '../system/logs/packing.ts'
import { filePlaces } from '../system/places/places.ts'
import { processIdentities } from '../system/processes/identities.ts'
import { LinuxProcesses } from '../system/processes/processes.ts'
import { startApart } from '../system/processes/start-apart.ts'
import { FileRunFiles } from '../system/run-files/file-run-files.ts'
import { fileTrust } from '../system/settings/file-trust.ts'
import { SignedTokens } from '../system/tokens/signed-tokens.ts'
import { ShimVerifier } from '../system/verify/shim-verifier.ts'
import { findTmux } from '../tmux/program/find-tmux.ts'
import { TmuxTerminal } from '../tmux/tmux-terminal.ts'

export type WireOptions = {
  readonly paths: HomePaths
  readonly config: Config
  readonly env: NodeJS.ProcessEnv
  readonly userDir: string
  readonly store: Store
  readonly log: Log
  /** The id of this home. */
  readonly homeId: string
}

/** systemd takes less than this; without an answer tmux is started as usual. */
const SCOPE_LIMIT = { clock: systemClock, timeoutMs: 2000 }

/** A file beside the bundle in dist/, wherever that was installed. */
export const besideBundle = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url))

export async function wire({ paths, config, env, userDir, store, log, homeId }: WireOptions) {
  const terminal = new TmuxTerminal({
    tmuxPath: config['tmux.path'],
    find: async () => (await findTmux(env.PATH, systemClock, config['tmux.path'])).path,
    restMs: config['tmux.rest'],
    socket: paths.tmuxSocket,
    // Programs that are started inside tmux find this home too.
    env: { ...env, HOLDFAST_HOME: paths.home },
    clock: systemClock,
    processes: processIdentities(),
    log,
    ...(env.HOLDFAST_SERVICE === 'systemd' && { scopeWithin: SCOPE_LIMIT }),
  })
  await terminal.startOrKeepTrying()
  const real = driversWith({ opencodeBridge: [process.execPath, besideBundle('opencode-bridge.js')] })
  const scripted = scriptedDriver({ executable: [process.execPath, besideBundle('scripted-agent.js')] })
  const handoff = new FileHandoff({
    home: paths,
    resultMaxBytes: config['result.maxBytes'],
    packing: gzipPacking,
    replaceFile,
    clock: systemClock,
    terminal,
  })
  const runFiles = new FileRunFiles({
    home: paths,
    shimSource: besideBundle('shim.sh'),
    ownCommand: [process.execPath, besideBundle('cli.cjs')],
  })
  const tokens = new SignedTokens({
    keyFile: paths.tokenKeys,
    clock: systemClock,
    lifetimeMs: config['token.lifetime'],
    home: homeId,
  })
  const processes = new LinuxProcesses()
  const shell = { home: paths, runFiles, processes, clock: systemClock, path: env.PATH ?? '' }
  const supervisor = new Supervisor(
    {
      store,
      terminal,
      apart: startApart(env.PATH ?? ''),
      verifier: new ShimVerifier(shell),
      runFiles,
      tokens,
      mcpServer: {
        name: 'holdfast',
        command: process.execPath,
        args: [besideBundle('cli.cjs'), 'mcp'],
      },
      processes,
      handoff,
      homeFiles: new DiskHomeFiles({ home: paths, clock: systemClock, packing: gzipPacking }),
      handling: new HandlingFile(paths.handling),
      roles: fileRoles({ userDir, trust: fileTrust(userDir) }),
      places: filePlaces,
      driver: (kind, own) => driversByKind([...real, scripted, ...customDrivers(own)]).get(kind),
      agents: real,
      clock: systemClock,
      ids: systemIds,
      log,
    },
    config,
  )
  return { supervisor, terminal, handoff }
}
