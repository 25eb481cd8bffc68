// Owns supervision as a whole: it starts with adopting and harvesting, then reacts to events.

import { messageOf } from '../domain/errors.ts'
import type { EventDraft } from '../domain/journal/events.ts'
import type { RunId, TaskId } from '../domain/names/ids.ts'
import { type Config, daemonConfig } from '../domain/settings/config.ts'
import { taskTerms } from '../domain/settings/task-terms.ts'
import type { TerminalEvent } from '../ports/run/terminal.ts'
import { resolveLaunchClaim } from './ending/resolve-launch-claim.ts'
import { Alarm } from './kernel/alarm.ts'
import { EndsInFlight } from './kernel/ends-in-flight.ts'
import { type Guarded, guardedBy } from './kernel/guarded.ts'
import { Journal, type JournalListener } from './kernel/journal.ts'
import { RepeatedWork } from './kernel/repeated-work.ts'
import { Serial } from './kernel/serial.ts'
import { sharedScan } from './kernel/shared-scan.ts'
import { Waiters } from './kernel/waiters.ts'
import { lookingListener } from './listening/looking.ts'
import { measuringListener } from './listening/measuring.ts'
import { schedulingListener } from './listening/scheduling.ts'
import { Subscribers } from './listening/subscribers.ts'
import { TaskFiles } from './listening/task-files.ts'
import { triggerDeadlines } from './listening/trigger-deadlines.ts'
import { wakingListener } from './listening/waking.ts'
import { OrderBook } from './orders/order-book.ts'
import { ReconcileTick } from './reconcile-tick.ts'
import { wakeDueTasks } from './recovering/wake-tasks.ts'
import { RuntimeKeeper } from './runtimes/runtime-keeper.ts'
import { CALM_MS, lookAtChangedScreens, RESTING_MS } from './screens/screen-rounds.ts'
import { finishOrDropDrafts } from './starting/finish-or-drop-drafts.ts'
import { schedule } from './starting/schedule.ts'
import { superviseOnce } from './supervise-once.ts'
import type { Core, Ports, Watch } from './task/core.ts'
import { tidyTask } from './task/tidy-task.ts'
import { newUpkeep } from './task/upkeep.ts'
import { lookAtScreenToo, updateWatchedTasks, watchTask } from './task/watch-task.ts'
import { writeTaskFiles } from './task/write-task-files.ts'
import { lookAtTriggers } from './triggers/look-at-triggers.ts'
import { renewTokens } from './upkeep/renew-tokens.ts'
import { resumeVerifications } from './verifying/verify-task.ts'
import { noteLastDeath, trySuspects } from './watching/quarantine.ts'
import { matchWindows } from './watching/windows.ts'

/** At the start, the files of so many queued tasks are written again. */
const MOST_CAUGHT_UP = 1000

export class Supervisor {
  readonly core: Core
  readonly orders: OrderBook
  /** Others that follow the journal and may miss nothing. */
  readonly subscribers: Subscribers
  /** For others that hear of every commit. What they miss while the daemon is down, they have to look for. */
  readonly listen: (listener: JournalListener) => void
  readonly #runtimes: RuntimeKeeper
  readonly #serial = new Serial()
  readonly #lookRequested = new Set<TaskId>()
  readonly #undo: (() => void)[] = []
  #stopped = false
  readonly #tick: ReconcileTick
  readonly #guarded: Guarded
  readonly #looks: RepeatedWork
  readonly #alarm: Alarm
  readonly #triggerAlarm: Alarm
  readonly #taskFiles: TaskFiles
  #lastStaggered = 0
  readonly #lookSoon = new Set<Watch>()
  #isResting = false
  /** A look at the queue that was requested and has not begun. */
  #scheduling: Promise<void> | undefined
  #isStarting = false

  constructor(ports: Ports, config: Config) {
    this.#guarded = guardedBy(ports.log)
    this.#alarm = new Alarm(ports.clock, () => this.#wake())
    this.#triggerAlarm = new Alarm(ports.clock, () => this.#lookAtTriggers())
    this.#looks = new RepeatedWork(ports.clock, () => this.#lookAtScreens())
    this.#taskFiles = new TaskFiles({
      clock: ports.clock,
      isBusy: () => this.#isStarting,
      write: (id, isWanted) =>
        this.#underLock(id, 'writing the files of', async () => {
          if (isWanted()) await writeTaskFiles(id, this.core)
        }),
    })
    const journal = new Journal({
      store: ports.store,
      follow: (committed, change) => updateWatchedTasks(committed, change, this.core),
      onError: (listener, error) => ports.log.error(`${listener} failed`, { error: messageOf(error) }),
    })
    this.core = {
      ...ports,
      config: daemonConfig(config),
      ownTerms: taskTerms(config),
      watched: new Map(),
      taskOfRun: new Map(),
      commit: journal.commit,
      commitSoon: journal.commitSoon,
      waiters: new Waiters(),
      endsInFlight: new EndsInFlight(),
      canaries: new Map(),
      pauses: new Map(),
      brokenLaunches: new Map(),
      swept: new Set(),
      findProcessesOfRun: sharedScan(ports.processes),
      upkeep: newUpkeep(),
      taskFiles: this.#taskFiles,
      withLock: (id, work) => this.#serial.run(id, work),
      requestLook: (id) => this.#requestLook(id),
      whenScheduled: () => this.#serial.run('scheduling', async () => {}),
      watchScreens: () => this.#looks.runNow(),
      wakeAt: (at) => this.#alarm.set(at),
      stagger: (at) => this.#stagger(at),
    }
    this.listen = (listener) => journal.listen(listener)
    const { core } = this
    this.orders = new OrderBook(core)
    this.subscribers = new Subscribers(core)
    this.#runtimes = new RuntimeKeeper(core)
    this.#tick = new ReconcileTick(core, {
      guarded: this.#guarded,
      underLock: (id, what, work) => this.#underLock(id, what, work),
      matchWindows: () => this.#matchWindows(),
      wake: () => this.#alarm.set(ports.clock.now()),
      scheduleSoon: () => void this.#scheduleSoon(),
      orders: this.orders,
      runtimes: this.#runtimes,
    })
    journal.listen(this.#taskFiles)
    journal.listen(schedulingListener(() => void this.#scheduleSoon()))
    journal.listen(wakingListener(() => this.#alarm.set(ports.clock.now()), core.canaries))
    journal.listen(
      lookingListener({
        lookAtScreenToo: (id) => lookAtScreenToo(id, core),
        look: (id) => this.#requestLook(id),
      }),
    )
    journal.listen(triggerDeadlines(() => this.#triggerAlarm.set(ports.clock.now())))
    journal.listen(measuringListener(core.upkeep.unmeasured))
    journal.listen(this.#runtimes)
    journal.listen(core.waiters)
    journal.listen(this.subscribers)
  }

  /** Adopts every live run at its stored offset and harvests every ended run, before the first queued task starts. */
  async start(): Promise<void> {
    const { core } = this
    await this.subscribers.start()
    await finishOrDropDrafts(core)
    await noteLastDeath(core)
    const open = await core.store.openRuns()
    const found = await Promise.all(open.map((run) => watchTask(run.taskId, run.id, core)))
    this.#undo.push(core.runFiles.watchExits((runId) => this.#exitSeen(runId)))
    this.#undo.push(core.terminal.onOutlines(() => this.#isResting && this.#looks.runNow()))
    this.#undo.push(core.terminal.onEvent((event) => this.#terminalSaid(event)))
    await trySuspects(core, ({ task }) => this.#look(task.id))
    await Promise.all(open.map((run) => this.#look(run.taskId)))
    // Only the runs found at the start: a task that was brought back meanwhile is launched by this daemon itself.
    await Promise.all(found.map((watch) => this.#resolveLaunch(watch)))
    const untidied = await core.store.untidied()
    await Promise.all(untidied.map((id) => this.#underLock(id, 'tidying', () => tidyTask(id, core))))
    // A token may have expired while no daemon ran.
    await renewTokens(core)
    await resumeVerifications(core)
    await this.orders.takeUp()
    await this.#runtimes.reconcile()
    void this.#scheduleSoon()
    this.#tick.arm()
    this.#alarm.set(core.clock.now())
    this.#triggerAlarm.set(core.clock.now())
    void this.#guarded('catching up', () => this.#catchUp())
  }

  /** Stops supervising. The agents go on working, and the next daemon adopts them. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#tick.stop()
    this.#looks.stop()
    this.#alarm.cancel()
    this.#triggerAlarm.cancel()
    for (const undo of this.#undo.splice(0)) undo()
    await this.#serial.whenIdle()
    await this.subscribers.stop()
    await this.#taskFiles.flush()
    for (const watch of this.core.watched.values()) watch.stopWatching()
  }

  /** Writes files that a crash may have left behind the store, and opens missing windows again. The start does not wait for this. */
  async #catchUp(): Promise<void> {
    const { core } = this
    await this.#matchWindows()
    for (const id of [...core.watched.keys(), ...(await this.#begunAndQueued())]) {
      if (this.#stopped) return
      await this.#underLock(id, 'writing the files of', () => writeTaskFiles(id, core))
    }
  }

  async #begunAndQueued(): Promise<TaskId[]> {
    const queued = await this.core.store.queue(MOST_CAUGHT_UP)
    return queued.filter(({ startedAt }) => startedAt !== null).map(({ id }) => id)
  }

  #matchWindows(): Promise<void> {
    return this.core.withLock('windows', () =>
      this.#guarded('matching windows', () => matchWindows(this.core)),
    )
  }

  #requestLook(id: TaskId): void {
    if (this.#stopped || this.#lookRequested.has(id)) return
    this.#lookRequested.add(id)
    void this.#look(id)
  }

  #look(id: TaskId): Promise<void> {
    const looked = this.#underLock(id, 'supervising', () => {
      this.#lookRequested.delete(id)
      return superviseOnce(id, this.core)
    })
    return looked.finally(() => this.core.endsInFlight.leave(id))
  }

  /** The daemon that ordered this launch is gone, so the claim decides at once whether the launch still happens. */
  #resolveLaunch(watch: Watch): Promise<void> {
    return this.#underLock(watch.task.id, 'resolving the launch of', async () => {
      if (watch.run.state === 'launching')
        await resolveLaunchClaim(watch, 'the daemon was restarted', this.core)
    })
  }

  #underLock(id: TaskId, what: string, work: () => Promise<unknown>): Promise<void> {
    return this.#serial.run(id, () => this.#guarded(`${what} ${id}`, work))
  }

  #exitSeen(runId: RunId): void {
    const task = this.core.taskOfRun.get(runId)
    if (task === undefined || this.#stopped) return
    this.core.endsInFlight.enter(task)
    this.#requestLook(task)
  }

  #scheduleSoon(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    this.#scheduling ??= this.core.withLock('scheduling', () => {
      this.#scheduling = undefined
      return this.#guarded('scheduling', () => this.#schedule())
    })
    return this.#scheduling
  }

  async #schedule(): Promise<void> {
    this.#isStarting = true
    try {
      await schedule(this.core)
    } finally {
      this.#isStarting = false
    }
  }

  #wake(): void {
    if (this.#stopped) return
    void this.core.withLock('waking', () =>
      this.#guarded('waking', async () => {
        const next = await wakeDueTasks(this.core)
        if (next !== null && !this.#stopped) this.#alarm.set(next)
      }),
    )
  }

  #lookAtTriggers(): void {
    if (this.#stopped) return
    void this.core.withLock('triggers', () =>
      this.#guarded('looking at triggers', async () => {
        const next = await lookAtTriggers(this.core)
        if (next !== null && !this.#stopped) this.#triggerAlarm.set(next)
      }),
    )
  }

  #stagger(at: number): number {
    const next = Math.max(at, this.#lastStaggered + this.core.config['wake.stagger'])
    this.#lastStaggered = next
    return next
  }

  #terminalSaid(event: TerminalEvent): void {
    const { core } = this
    core.log.warn('terminal', event)
    void this.#guarded('noting what happened to the terminal', () =>
      core.commit({ event: terminalEvent(event, core.clock.now()) }),
    )
    if (event.kind === 'server_started' || event.kind === 'server_answers') void this.#matchWindows()
  }

  async #lookAtScreens(): Promise<number | null> {
    let next: number | null = CALM_MS
    await this.#guarded('looking at screens', async () => {
      next = await lookAtChangedScreens(this.core, this.#lookSoon)
    })
    this.#isResting = next === RESTING_MS
    return next
  }
}

const terminalEvent = ({ kind, ...data }: TerminalEvent, at: number) =>
  ({ at, kind, taskId: null, data }) as EventDraft
