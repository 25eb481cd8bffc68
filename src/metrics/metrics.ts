// Owns what is measured for Prometheus. Counters and histograms begin at 0 with every daemon, as Prometheus expects; gauges are
// read anew for every scrape, so they are right at once.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JournalEvent } from '../domain/journal/events.ts'
import { FAILURE_CLASSES } from '../domain/run/failure-class.ts'
import { TASK_STATUSES } from '../domain/task/machine.ts'
import type { Clock } from '../ports/clock.ts'
import type { Committed } from '../ports/store/commits.ts'
import type { TaskReads } from '../ports/store/tasks.ts'
import {
  type CounterName,
  counters,
  type GaugeName,
  gauges,
  type HistogramName,
  histograms,
  type Labels,
} from './catalogue.ts'
import { countsOf, GATE_KINDS } from './journal-counts.ts'
import { type DaemonState, daemonNow, type Shown, type StoredState, storedNow } from './state-now.ts'
import { WAITED } from './task-times.ts'
import { type Past, Timekeeper } from './timekeeper.ts'
import { KnownModels } from './usage-labels.ts'

/** A scrape does not wait longer for the store: what is known without it is told then. */
const STORE_PATIENCE_MS = 2000
/** Each measurement wakes an idle daemon: the library's 10 ms would do so a hundred times a second. */
const LOOP_LAG_EVERY_MS = 250

export type MetricsNeeds = {
  readonly store: StoredState & Past & Pick<TaskReads, 'task'>
  readonly daemon: DaemonState
  /** The names of those by which people are told. */
  readonly channels: readonly string[]
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  readonly build: { readonly version: string; readonly node: string; readonly store: string }
  /** Also what the library tells of the process: memory, CPU, event loop, garbage collection. */
  readonly ofProcess: boolean
}

export class Metrics {
  /** A listener of the journal. */
  readonly name = 'metrics'
  readonly contentType: string
  readonly registry = new Registry()
  readonly #needs: MetricsNeeds
  readonly #counters: Readonly<Record<CounterName, Counter>>
  readonly #histograms: Readonly<Record<HistogramName, Histogram>>
  readonly #gauges: Readonly<Record<GaugeName, Gauge>>
  readonly #times: Timekeeper
  readonly #models = new KnownModels()
  #scrape: Promise<string> | undefined

  constructor(needs: MetricsNeeds) {
    this.#needs = needs
    const registers = [this.registry]
    this.#counters = each(
      counters,
      (name, { help, labels }) => new Counter({ name, help, labelNames: [...labels], registers }),
    )
    this.#histograms = each(
      histograms,
      (name, { help, labels, buckets }) =>
        new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
    )
    this.#gauges = each(
      gauges,
      (name, { help, labels }) => new Gauge({ name, help, labelNames: [...labels], registers }),
    )
    this.#beginAtZero()
    this.contentType = this.registry.contentType
    this.#times = new Timekeeper({
      past: needs.store,
      observe: ({ histogram, labels = {}, seconds }) => this.#histograms[histogram].observe(labels, seconds),
      countRun: (labels) => this.#counters.holdfast_runs_ended_total.inc(labels),
      countUnseenStart: () => this.#counters.holdfast_runs_started_total.inc(),
      onDropped: () => this.#counters.holdfast_metrics_dropped_total.inc(),
    })
    if (needs.ofProcess) this.#tellOfProcess()
  }

  hear({ events }: Pick<Committed, 'events'>): void {
    for (const event of events) this.#count(event)
    this.#times.hear(events)
    for (const event of events)
      if (event.kind === 'usage_reported') void this.#countUsage(event).catch(() => this.#dropped())
  }

  /** How long a commit took, in ms. */
  committed(tookMs: number, outcome: 'done' | 'refused' | 'failed'): void {
    this.#histograms.holdfast_store_commit_seconds.observe({ outcome }, tookMs / 1000)
  }

  /** All metrics in Prometheus' own format. Scrapes at the same time share one answer. */
  text(): Promise<string> {
    this.#scrape ??= this.#scraped().finally(() => {
      this.#scrape = undefined
    })
    return this.#scrape
  }

  async #scraped(): Promise<string> {
    const shown = [...(await daemonNow(this.#needs.daemon)), ...(await this.#storedInTime())]
    for (const [name, gauge] of Object.entries(this.#gauges))
      if (gauges[name as GaugeName].labels.length > 0) gauge.reset()
      else gauge.remove()
    this.#show({ gauge: 'holdfast_build_info', labels: this.#needs.build, value: 1 })
    for (const one of shown) this.#show(one)
    return await this.registry.metrics()
  }

  #tellOfProcess(): void {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LOOP_LAG_EVERY_MS })
    // Gauges with the name of a counter: checkers of metrics refuse them.
    for (const what of ['handles', 'requests', 'resources'])
      this.registry.removeSingleMetric(`nodejs_active_${what}_total`)
  }

  #count(event: JournalEvent): void {
    for (const { counter, labels = {} } of countsOf(event)) this.#counters[counter].inc(labels)
  }

  async #countUsage({ taskId, data }: JournalEvent<'usage_reported'>): Promise<void> {
    const task = taskId === null ? undefined : await this.#needs.store.task(taskId)
    if (task === undefined) return
    const labels = this.#models.labels(task)
    const { holdfast_tokens_total: tokens, holdfast_cost_usd_total: cost } = this.#counters
    // A counter cannot go back; an agent that corrects its sum downwards is not followed.
    tokens.inc({ ...labels, direction: 'in' }, Math.max(0, data.tokens_in))
    tokens.inc({ ...labels, direction: 'out' }, Math.max(0, data.tokens_out))
    cost.inc({ ...labels }, Math.max(0, data.cost_usd))
  }

  /** What the store says; only that it is down, when it fails or takes too long. */
  async #storedInTime(): Promise<Shown[]> {
    const { store, daemon, clock } = this.#needs
    const from = clock.monotonic()
    const down: Shown[] = [{ gauge: 'holdfast_store_up', value: 0 }]
    const read = async (): Promise<Shown[]> => {
      await this.#times.whenIdle()
      const begun = clock.monotonic()
      const shown = await storedNow(store, daemon.now(), this.#needs)
      const seconds = (clock.monotonic() - begun) / 1000
      return [
        ...shown,
        { gauge: 'holdfast_store_up', value: 1 },
        { gauge: 'holdfast_store_read_seconds', value: seconds },
      ]
    }
    let cancel = () => {}
    const late = new Promise<Shown[]>((resolve) => {
      cancel = clock.after(STORE_PATIENCE_MS, () =>
        resolve([
          ...down,
          { gauge: 'holdfast_store_read_seconds', value: (clock.monotonic() - from) / 1000 },
        ]),
      )
    })
    return await Promise.race([read().catch(() => down), late]).finally(() => cancel())
  }

  #show({ gauge, labels = {}, value }: Shown): void {
    this.#gauges[gauge].set(labels, value)
  }

  #dropped = () => this.#counters.holdfast_metrics_dropped_total.inc()

  /** A series that appears only with its first event would hide that event from `increase()`. */
  #beginAtZero(): void {
    const zero = (name: CounterName, labels: readonly Labels[]) => {
      for (const one of labels) this.#counters[name].inc({ ...one }, 0)
    }
    const ended = TASK_STATUSES.slice(-3).map((status) => ({ status }))
    zero('holdfast_tasks_ended_total', ended)
    zero('holdfast_verifications_total', [{ outcome: 'passed' }, { outcome: 'failed' }])
    zero(
      'holdfast_gates_closed_total',
      GATE_KINDS.map((kind) => ({ kind })),
    )
    zero('tmux_trigger_timeout_total', [{ code: 'ACK_TIMEOUT' }, { code: 'DEFER_TIMEOUT' }])
    zero(
      'holdfast_runs_ended_total',
      ['clean', 'error', 'signal', 'lost', 'void'].flatMap((ending) =>
        ['none', ...FAILURE_CLASSES].map((failure) => ({ ending, failure })),
      ),
    )
    for (const waited of WAITED) this.#histograms.holdfast_resume_seconds.zero({ waited })
    for (const stage of ['typed', 'submitted', 'acknowledged', 'done'])
      this.#histograms.holdfast_delivery_seconds.zero({ stage })
  }
}

function each<Table extends Readonly<Record<string, unknown>>, Made>(
  table: Table,
  make: (name: string, row: Table[keyof Table]) => Made,
): Readonly<Record<keyof Table, Made>> {
  const made = Object.entries(table).map(([name, row]) => [name, make(name, row as Table[keyof Table])])
  return Object.fromEntries(made)
}
