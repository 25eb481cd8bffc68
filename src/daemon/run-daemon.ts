// Owns the daemon's life: opens in order, adopts, serves; stops in reverse.
import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { openBridge } from '../bridge/bridge.ts'
import { operatorsSubscription } from '../bridge/operators/subscription.ts'
import { parentsSubscription } from '../bridge/parents/subscription.ts'
import { ParentWaker } from '../bridge/parents/waker.ts'
import { unreadSubscription } from '../bridge/unread/subscription.ts'
import { HoldfastError, isHoldfastError, messageOf } from '../domain/errors.ts'
import { homePaths } from '../domain/names/home.ts'
import { VERSION } from '../domain/names/version.ts'
import { daemonEnv } from '../domain/run/caller-environment.ts'
import { diskError } from '../domain/system-error.ts'
import { iso } from '../domain/task/session-record.ts'
import { Metrics } from '../metrics/metrics.ts'
import { serverApp } from '../server/app.ts'
import { openStore } from '../store/open-store.ts'
import { openDesk } from '../supervisor/desk.ts'
import { systemClock } from '../system/clock.ts'
import { freeBytes } from '../system/disk/free-bytes.ts'
import { checkHomeEntries, makeSafeHome } from '../system/home/safe-home.ts'
import { systemIds } from '../system/ids.ts'
import { openLog } from '../system/logs/logger.ts'
import { loadConfig, userConfigDir } from '../system/settings/load-config.ts'
import { stepContract } from '../system/verify/step-contracts.ts'
import { FileWebKeys } from '../system/web/file-web-keys.ts'
import { DiskPageFiles } from '../system/web/page-files.ts'
import { CommitTimes } from './commit-times.ts'
import { leaveTerminal } from './leave-terminal.ts'
import { listen, stopListening } from './listen.ts'
import { nodeId } from './node-id.ts'
import { openNotifications } from './notifications.ts'
import { openTraces } from './open-traces.ts'
import { projectTrust } from './project-trust.ts'
import { giveSigns } from './sign-of-life.ts'
import { announceHolder, takeLock, withdrawHolder } from './single-instance.ts'
import { logLastWords, logStrayPrints } from './stray-output.ts'
import { TcpDoor } from './tcp-door.ts'
import { besideBundle, wire } from './wire.ts'

/** Waiting for a locked SQLite file holds up the whole daemon: callers get an error soon, and supervision tries again. */
const STORE_BUSY_MS = 1000

export type RunningDaemon = { stop(): Promise<void> }

/** Undefined when another daemon has this home. */
export async function runDaemon(
  home: string,
  env: NodeJS.ProcessEnv,
  onShutdown: () => void,
): Promise<RunningDaemon | undefined> {
  const paths = homePaths(home)
  makeHome(paths)
  const lock = takeLock(paths.lock)
  if (lock === undefined) return undefined
  const undo: (() => Promise<void> | void)[] = [() => lock.release()]
  const stop = async () => {
    const failures: unknown[] = []
    for (const step of undo.splice(0).reverse())
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw failures[0]
  }
  try {
    const startedAt = iso(systemClock.now())
    await announceHolder(paths.holder, { pid: process.pid, version: VERSION, started_at: startedAt })
    undo.push(() => withdrawHolder(paths.holder))
    const log = openLog(paths.daemonLog)
    logStrayPrints(log)
    logLastWords(paths.daemonStderr, log)
    const userDir = userConfigDir(env)
    const { config } = await loadConfig(userDir, undefined)
    const id = await nodeId(paths.nodeId)
    const node = { id, host: hostname(), pid: process.pid, version: VERSION }
    const url = config['store.url']
    const opened = await openStore({
      ...(url === null ? { path: paths.database, busyTimeoutMs: STORE_BUSY_MS } : { url }),
      node,
      clock: systemClock,
    })
    undo.push(() => opened.close())
    const storeKind = url === null ? 'sqlite' : 'postgres'
    // Nobody else uses the file of SQLite.
    if (url !== null) undo.push(giveSigns(opened, systemClock))
    const measuring = new CommitTimes()
    const store = measuring.around(opened)
    const { supervisor, terminal, viewers, handoff } = await wire({
      paths,
      config,
      env,
      userDir,
      store,
      log,
      homeId: id,
    })
    undo.push(() => leaveTerminal(terminal, store))
    undo.push(() => viewers.endAll())
    undo.push(() => handoff.closeAll())
    const stopping = new AbortController()
    // Everybody who waits for news hears of the end.
    setMaxListeners(0, stopping.signal)
    const desk = openDesk(supervisor, stopping.signal)
    supervisor.subscribers.add(parentsSubscription(desk))
    supervisor.subscribers.add(operatorsSubscription(desk))
    supervisor.subscribers.add(unreadSubscription(desk))
    const telling = await openNotifications({ desk, config, paths, env, userDir, terminal, log })
    supervisor.subscribers.add(telling.subscription)
    supervisor.listen(telling.sender)
    const parentWaker = new ParentWaker({ desk, clock: systemClock, log })
    supervisor.listen(parentWaker)
    const metrics = new Metrics({
      store: opened,
      daemon: {
        ...desk.daemon,
        holdPruning: desk.subscribers.holdPruning,
        now: systemClock.now,
        freeBytes: () => freeBytes(home),
      },
      channels: Object.keys(config['notify.channels']),
      clock: systemClock,
      build: { version: VERSION, node: process.version, store: storeKind },
      ofProcess: true,
    })
    measuring.to(metrics)
    supervisor.listen(metrics)
    undo.push(
      await openTraces({
        config,
        env,
        store: opened,
        supervisor,
        log,
        about: { version: VERSION, node: id },
      }),
    )
    await supervisor.start()
    undo.push(() => supervisor.stop())
    await parentWaker.start()
    undo.push(() => parentWaker.stop())
    await telling.sender.start()
    undo.push(() => telling.sender.stop())
    void telling.notify.listen(stopping.signal)
    const door = new TcpDoor({
      file: paths.webDoor,
      log,
      settings: {
        port: config['server.port'],
        host: config['server.host'],
        allowRemote: config['server.allowRemote'],
      },
    })
    const app = serverApp({
      desk,
      bridge: openBridge(desk),
      viewers,
      notify: telling.notify,
      metrics,
      tokens: supervisor.core.tokens,
      clock: systemClock,
      log,
      stopping: stopping.signal,
      newName: systemIds.random,
      page: new DiskPageFiles(besideBundle('web')),
      door,
      keys: new FileWebKeys({ path: paths.webKeys, clock: systemClock }),
      hosts: config['server.hosts'],
      origins: config['server.origins'],
      ownEnv: daemonEnv(env),
      shutdown: onShutdown,
      loadConfig: (project) => loadConfig(userDir, project),
      trust: projectTrust(userDir, supervisor.core.roles),
      stepContract: (asked) => stepContract(asked, userDir),
      freeBytes: () => freeBytes(home),
      about: {
        version: VERSION,
        pid: process.pid,
        home,
        node_id: id,
        started_at: startedAt,
        tmux_socket: paths.tmuxSocket,
        store: storeKind,
      },
    })
    const server = await listen(app, paths.socket)
    undo.push(async () => {
      stopping.abort()
      await stopListening(server, paths.socket)
    })
    await door.start(app)
    undo.push(async () => {
      stopping.abort()
      await door.stop()
    })
    log.info('daemon is up', { pid: process.pid, version: VERSION, home })
    undo.push(() => log.info('daemon stops', { pid: process.pid }))
    return { stop }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

function makeHome(paths: ReturnType<typeof homePaths>): void {
  try {
    makeSafeHome(paths.home)
    checkHomeEntries(paths.home)
    for (const dir of [paths.runs, paths.exits, paths.tasks, `${paths.home}/logs`])
      mkdirSync(dir, { recursive: true, mode: 0o700 })
  } catch (error) {
    if (isHoldfastError(error)) throw error
    throw (
      diskError(error) ??
      new HoldfastError('HOME_NOT_WRITABLE', `Cannot use ${paths.home}: ${messageOf(error)}`)
    )
  }
}
