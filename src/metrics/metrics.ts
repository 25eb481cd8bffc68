// Owns what is measured for Prometheus: counters of what the journal tells. They begin at 0 with every daemon, as Prometheus expects.
import { Counter, Registry } from 'prom-client'
import type { JournalEvent } from '../domain/journal/events.ts'
import { type CounterName, counterHelp, countsOf } from './journal-counts.ts'

export class Metrics {
  /** A listener of the journal. */
  readonly name = 'metrics'
  readonly contentType: string
  readonly #registry = new Registry()
  readonly #counters: Readonly<Record<CounterName, Counter>>

  constructor() {
    const counter = (name: CounterName, labelNames: string[] = []) =>
      new Counter({ name, help: counterHelp[name], labelNames, registers: [this.#registry] })
    this.#counters = {
      tmux_trigger_attempt_total: counter('tmux_trigger_attempt_total'),
      tmux_trigger_delivered_total: counter('tmux_trigger_delivered_total'),
      tmux_trigger_retry_total: counter('tmux_trigger_retry_total'),
      tmux_trigger_timeout_total: counter('tmux_trigger_timeout_total', ['code']),
      tmux_runtime_restart_total: counter('tmux_runtime_restart_total'),
      tmux_reconcile_drift_total: counter('tmux_reconcile_drift_total'),
    }
    this.contentType = this.#registry.contentType
  }

  hear({ events }: { readonly events: readonly JournalEvent[] }): void {
    for (const event of events)
      for (const { counter, labels = {} } of countsOf(event)) this.#counters[counter].inc(labels)
  }

  /** All metrics in Prometheus' own format. */
  text = (): Promise<string> => this.#registry.metrics()
}
