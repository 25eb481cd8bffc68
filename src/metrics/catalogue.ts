// Owns every metric of our own: name, type, labels and meaning. The registry is made from this table, and so is docs/metrics.md.
// The value of a label is one of a set that is known beforehand, or a name that a person gave: never a text of an agent.

/** From a hundredth of a second to an hour and a half. */
const WAITS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1800, 3600, 5400]
/** From a millisecond to ten seconds. */
const MOMENTS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** From a minute to two days. */
const LONG_WAITS = [1, 10, 60, 300, 900, 1800, 3600, 7200, 14400, 28800, 86400, 172800]

type Counted = { readonly type: 'counter'; readonly help: string; readonly labels: readonly string[] }
type Shown = { readonly type: 'gauge'; readonly help: string; readonly labels: readonly string[] }
type Timed = {
  readonly type: 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  readonly buckets: readonly number[]
}

const counter = (help: string, labels: readonly string[] = []): Counted => ({ type: 'counter', help, labels })
const gauge = (help: string, labels: readonly string[] = []): Shown => ({ type: 'gauge', help, labels })
const timed = (buckets: readonly number[], help: string, labels: readonly string[] = []): Timed => ({
  type: 'histogram',
  help,
  labels,
  buckets,
})

export const counters = {
  tmux_trigger_attempt_total: counter('Triggers that were given to an agent, each time.'),
  tmux_trigger_delivered_total: counter('Triggers that their agent acknowledged, each once.'),
  tmux_trigger_retry_total: counter('Times that an acknowledgement was awaited longer.'),
  tmux_trigger_timeout_total: counter(
    'Triggers that waited too long, for an acknowledgement or for a person.',
    ['code'],
  ),
  tmux_runtime_restart_total: counter('Times that a runtime was brought back.'),
  tmux_reconcile_drift_total: counter('Times that a runtime was not where the registry had it.'),
  holdfast_tasks_created_total: counter('Tasks that were created.'),
  holdfast_tasks_ended_total: counter('Tasks that ended, by their last status.', ['status']),
  holdfast_runs_started_total: counter('Runs whose agent began to work.'),
  holdfast_runs_ended_total: counter(
    'Runs that are over. `ending`: clean (exit code 0), error, signal, lost (no exit record) or void (never began). `failure`: why, judged by the agent’s words.',
    ['ending', 'failure'],
  ),
  holdfast_questions_total: counter('Times that a task began to wait for an answer.'),
  holdfast_stuck_total: counter('Times that an agent showed no life.'),
  holdfast_escalations_total: counter('Times that a task could not go on without a person.'),
  holdfast_verifications_total: counter('Verifications, by whether the work passed.', ['outcome']),
  holdfast_gates_closed_total: counter('Times that a gate closed, or stayed closed after a try.', ['kind']),
  holdfast_tmux_deaths_total: counter('Times that the tmux server died.'),
  holdfast_disk_warnings_total: counter('Warnings that tasks take more disk space than they should.'),
  holdfast_tokens_total: counter('Tokens that agents told to have used.', ['agent', 'model', 'direction']),
  holdfast_cost_usd_total: counter('US dollars that agents told to have cost.', ['agent', 'model']),
  holdfast_metrics_dropped_total: counter(
    'Events that were not timed, because the store could not be read or too many waited. Counters of events are not affected.',
  ),
} as const

export const histograms = {
  holdfast_detect_seconds: timed(
    MOMENTS,
    'From the end of an agent’s process, by its exit record, to the commit that records it. Also what ended while no daemon ran.',
  ),
  holdfast_resume_seconds: timed(
    WAITS,
    'From the end of a task’s run to its next run at work. `waited`: what it waited for in between.',
    ['waited'],
  ),
  holdfast_queue_wait_seconds: timed(WAITS, 'From the queue to the launch.'),
  holdfast_park_seconds: timed(
    LONG_WAITS,
    'How long tasks waited for a limit, an outage or a pause. `phase`: parked or backing_off.',
    ['phase'],
  ),
  holdfast_question_wait_seconds: timed(LONG_WAITS, 'How long tasks waited for an answer.'),
  holdfast_verification_seconds: timed(WAITS, 'How long the work of a task was verified.', ['outcome']),
  holdfast_delivery_seconds: timed(
    WAITS,
    'How long a prompt took to reach a stage, from the stage before it: queued, typed, submitted, acknowledged, done.',
    ['stage'],
  ),
  holdfast_store_commit_seconds: timed(MOMENTS, 'How long a commit to the store took.', ['outcome']),
} as const

export const gauges = {
  holdfast_build_info: gauge('Always 1. The labels say which program this is.', ['version', 'node', 'store']),
  holdfast_tasks: gauge('Tasks by status, with ended and archived ones; of all nodes of the store.', [
    'status',
  ]),
  holdfast_tasks_in_phase: gauge('Tasks that have not ended, by phase; of all nodes of the store.', [
    'phase',
  ]),
  holdfast_questions_open: gauge('Questions of this daemon’s tasks that nobody has answered.'),
  holdfast_question_oldest_seconds: gauge(
    'Age of the oldest question that nobody has answered; 0 without one.',
  ),
  holdfast_gates_closed: gauge('Gates that are closed now.', ['kind']),
  holdfast_gate_closed_seconds: gauge(
    'How long the oldest gate of this kind has been closed; 0 without one.',
    ['kind'],
  ),
  holdfast_subscriber_lag_events: gauge('Events that a durable reader of the journal has not handled.', [
    'subscriber',
  ]),
  holdfast_events_set_aside: gauge(
    'Events that a durable reader of the journal could not handle, with those that wait behind them.',
    ['subscriber'],
  ),
  holdfast_pruning_held: gauge(
    'Durable readers of the journal for which old events are kept, because they did not handle them.',
  ),
  holdfast_notices_waiting: gauge(
    'Notices that a channel was not told yet, also those that wait for the end of quiet hours.',
    ['channel'],
  ),
  holdfast_notices_set_aside: gauge('Notices that a channel did not take, and that are not tried any more.', [
    'channel',
  ]),
  holdfast_channel_failing: gauge('1 while a channel does not take what it is sent, else 0.', ['channel']),
  holdfast_waiters: gauge('Requests that wait for news: monitor, logs and streams.'),
  holdfast_store_up: gauge(
    '1 when the store answered this scrape, else 0; then the gauges read from it are absent.',
  ),
  holdfast_store_read_seconds: gauge('How long the store took to answer this scrape.'),
  holdfast_tmux_up: gauge('1 when terminals can be opened, else 0.'),
  holdfast_disk_used_bytes: gauge('Disk space of all tasks, as far as it was measured.'),
  holdfast_disk_too_much: gauge(
    '1 when all tasks together take more disk space than `disk.totalWarn`, else 0.',
  ),
  holdfast_home_free_bytes: gauge('Free disk space where the home lies.'),
} as const

export type CounterName = keyof typeof counters
export type HistogramName = keyof typeof histograms
export type GaugeName = keyof typeof gauges
export const catalogue = { ...counters, ...histograms, ...gauges }
export type Labels = Readonly<Record<string, string>>
