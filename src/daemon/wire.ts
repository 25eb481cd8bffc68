// The only place where real adapters meet the core.
import { driversWith } from '../agents/all.ts'
import { customDrivers } from '../agents/custom.ts'
import { driversByKind } from '../agents/registry.ts'
import { scriptedDriver } from '../agents/scripted.ts'
import type { Config } from '../domain/config.ts'
import type { HomePaths } from '../domain/home.ts'
import { FileHandoff } from '../handoff/file-handoff.ts'
import { fileRoles } from '../handoff/roles.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { Supervisor } from '../supervisor/supervisor.ts'
import { systemClock } from '../system/clock.ts'
import { fileTrust } from '../system/file-trust.ts'
import { HandlingFile } from '../system/handling-file.ts'
import { HomeHouseFiles } from '../system/house-files.ts'
import { systemIds } from '../system/ids.ts'
import { gzipPacking } from '../system/packing.ts'
import { filePlaces } from '../system/places.ts'
import { LinuxProcesses } from '../system/processes.ts'
import { FileRunFiles } from '../system/run-directory.ts'
import { ShimVerifier } from '../system/verify/shim-verifier.ts'
import { TmuxTerminal } from '../tmux/tmux-terminal.ts'
import { findTmux } from '../tmux/version.ts'

export type WireOptions = {
  readonly paths: HomePaths
  readonly config: Config
  readonly env: NodeJS.ProcessEnv
  readonly userDir: string
  readonly store: Store
  readonly log: Log
}

/** Longer than systemd takes; without an answer tmux is started as ever. */
const SCOPE_LIMIT = { clock: systemClock, timeoutMs: 2000 }

/** Beside the bundle in dist/, wherever that was installed. */
const beside = (name: string) => new URL(`./${name}`, import.meta.url).pathname

export async function wire({ paths, config, env, userDir, store, log }: WireOptions) {
  const tmux = await findTmux(env.PATH, systemClock, config['tmux.path'])
  const terminal = new TmuxTerminal({
    tmuxPath: tmux.path,
    socket: paths.tmuxSocket,
    env,
    clock: systemClock,
    log,
    ...(env.HOLDFAST_SERVICE === 'systemd' && { scopeWithin: SCOPE_LIMIT }),
  })
  await terminal.start()
  const real = driversWith({ opencodeBridge: [process.execPath, beside('opencode-bridge.js')] })
  const scripted = scriptedDriver({ executable: [process.execPath, beside('scripted-agent.js')] })
  const handoff = new FileHandoff({
    home: paths,
    resultMaxBytes: config['result.maxBytes'],
    packing: gzipPacking,
    clock: systemClock,
  })
  const runFiles = new FileRunFiles({ home: paths, shimSource: beside('shim.sh') })
  const processes = new LinuxProcesses()
  const shell = { home: paths, runFiles, processes, clock: systemClock, path: env.PATH ?? '' }
  const supervisor = new Supervisor(
    {
      store,
      terminal,
      verifier: new ShimVerifier(shell),
      runFiles,
      processes,
      handoff,
      house: new HomeHouseFiles({ home: paths, clock: systemClock, packing: gzipPacking }),
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
