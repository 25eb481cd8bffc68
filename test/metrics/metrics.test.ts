import { expect, test } from 'vitest'
import { asRunId, asTaskId } from '../../src/domain/names/ids.ts'
import { catalogue } from '../../src/metrics/catalogue.ts'
import { NOON, RUN_ID, TASK_ID } from '../builders/ids.ts'
import { aMove } from '../builders/move.ts'
import { aNoticeDraft } from '../builders/notice.ts'
import { aReading } from '../builders/reading.ts'
import { aRunDraft } from '../builders/run.ts'
import { aTaskDraft } from '../builders/task.ts'
import { daemon, metricsOver } from './metrics-over.ts'

test('the registry has exactly what the catalogue lists: names, types, labels and help', async () => {
  const { metrics } = await metricsOver()
  await metrics.text()
  const made = await metrics.registry.getMetricsAsJSON()
  const rows = made.map(({ name, type, help }) => ({ name, type, help }))
  const wanted = Object.entries(catalogue).map(([name, { type, help }]) => ({ name, type, help }))
  expect(rows.sort(byName)).toEqual(wanted.sort(byName))
  const labels = (name: string) =>
    (metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }).labelNames
  for (const [name, row] of Object.entries(catalogue)) expect(labels(name)).toEqual([...row.labels])
})
const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)

type Over = Awaited<ReturnType<typeof metricsOver>>

/** Created at noon, launched after 3 s, at work after 4, its agent gone after 10, recorded 50 ms later, at work again after 12. */
async function diesAndComesBack({ commit }: Over, from = 0) {
  const next = asRunId('run-2')
  const at = (seconds: number) => ({ at: NOON + seconds * 1000 })
  const steps = [
    () => commit({ create: aTaskDraft() }),
    () =>
      commit({
        task: aMove(TASK_ID, 'pending', 'launched', { ...at(3), set: { runId: RUN_ID } }),
        newRun: aRunDraft(TASK_ID, { id: RUN_ID }),
      }),
    () =>
      commit({
        task: aMove(TASK_ID, 'running', 'agent_started', at(4)),
        run: { id: RUN_ID, from: 'launching', event: 'started' },
      }),
    () =>
      commit({
        task: aMove(TASK_ID, 'running', 'requeued', { ...at(10.05), set: { runId: null } }),
        run: {
          id: RUN_ID,
          from: 'live',
          event: 'exited',
          set: { endedAt: NOON + 10_000, exitSignal: 'KILL', failure: 'crash' },
        },
      }),
    () =>
      commit({
        task: aMove(TASK_ID, 'pending', 'launched', { ...at(11.05), set: { runId: next } }),
        newRun: aRunDraft(TASK_ID, { id: next, number: 2 }),
      }),
    () => commit({ task: aMove(TASK_ID, 'running', 'agent_started', at(12)) }),
  ]
  for (const step of steps.slice(from)) await step()
}

const TOLD = {
  holdfast_detect_seconds_sum: 0.05,
  holdfast_detect_seconds_count: 1,
  'holdfast_resume_seconds_sum{waited="nothing"}': 2,
  'holdfast_resume_seconds_count{waited="nothing"}': 1,
  'holdfast_runs_ended_total{ending="signal",failure="crash"}': 1,
}

test('a death is timed: when it was seen, and when the next run was at work', async () => {
  const over = await metricsOver()
  await diesAndComesBack(over)
  expect(await over.values()).toMatchObject({
    ...TOLD,
    holdfast_queue_wait_seconds_sum: 4,
    holdfast_queue_wait_seconds_count: 2,
  })
})

test.each([3, 4, 5])(
  'waits that began before the daemon count in full (it began before step %i)',
  async (from) => {
    const before = await metricsOver()
    let done = 0
    const silent = async (change: Parameters<Over['commit']>[0]) => {
      const committed = await before.store.commit(change)
      if (done++ >= from) before.metrics.hear(committed)
      return committed
    }
    await diesAndComesBack({ ...before, commit: silent })
    const values = await before.values()
    expect(values['holdfast_resume_seconds_sum{waited="nothing"}']).toBe(2)
    expect(values.holdfast_queue_wait_seconds_sum).toBe(from < 5 ? 1 : 0)
    expect(values.holdfast_detect_seconds_count).toBe(from === 3 ? 1 : 0)
  },
)

test('parks, questions and verifications are timed when they are over', async () => {
  const { commit, values } = await metricsOver()
  const at = (seconds: number) => ({ at: NOON + seconds * 1000 })
  await commit({ create: aTaskDraft() })
  await commit({
    task: aMove(TASK_ID, 'pending', 'launched', { ...at(0), set: { runId: RUN_ID } }),
    newRun: aRunDraft(TASK_ID, { id: RUN_ID }),
  })
  await commit({ task: aMove(TASK_ID, 'running', 'parked', at(1)) })
  await commit({ task: aMove(TASK_ID, 'running', 'requeued', at(61)) })
  await commit({ task: aMove(TASK_ID, 'pending', 'question_asked', at(70)) })
  await commit({ task: aMove(TASK_ID, 'waiting_input', 'verifying', at(75)) })
  expect(await values()).not.toHaveProperty('holdfast_verification_seconds_count{outcome="passed"}')
  await commit({ task: aMove(TASK_ID, 'running', 'completed', at(80)) })
  expect(await values()).toMatchObject({
    'holdfast_park_seconds_sum{phase="parked"}': 60,
    holdfast_question_wait_seconds_sum: 5,
    'holdfast_verification_seconds_sum{outcome="passed"}': 5,
    'holdfast_tasks_ended_total{status="completed"}': 1,
  })
})

test.each([
  ['completed', 'passed'],
  ['requeued', 'failed'],
  ['failed', 'failed'],
  ['cancelled', 'stopped'],
] as const)('a verification after which the task is %s is timed as %s', async (event, outcome) => {
  const { commit, values } = await metricsOver()
  const at = (seconds: number) => ({ at: NOON + seconds * 1000 })
  await commit({ create: aTaskDraft() })
  await commit({
    task: aMove(TASK_ID, 'pending', 'launched', { ...at(0), set: { runId: RUN_ID } }),
    newRun: aRunDraft(TASK_ID, { id: RUN_ID }),
  })
  await commit({ task: aMove(TASK_ID, 'running', 'verifying', at(75)) })
  await commit({ task: aMove(TASK_ID, 'running', event, at(80)) })
  const told = await values()
  const timed = Object.entries(told).filter(([name]) => name.startsWith('holdfast_verification_seconds'))
  expect(Object.fromEntries(timed)).toEqual({
    [`holdfast_verification_seconds_sum{outcome="${outcome}"}`]: 5,
    [`holdfast_verification_seconds_count{outcome="${outcome}"}`]: 1,
  })
})

test('a prompt is timed from stage to stage, also when it was queued before the daemon began', async () => {
  const { store, metrics, values, commit } = await metricsOver()
  await commit({ create: aTaskDraft() })
  await commit({
    task: aMove(TASK_ID, 'pending', 'launched', { set: { runId: RUN_ID } }),
    newRun: aRunDraft(TASK_ID, { id: RUN_ID }),
  })
  const trigger = {
    thread: null,
    reason: null,
    key: null,
    framed: 0,
    forcedBy: null,
    forcedWhy: null,
  } as const
  const send = { taskId: TASK_ID, kind: 'prompt', text: 'hi', by: 'p', at: NOON, trigger } as const
  await store.commit({ input: send })
  const say = {
    taskId: TASK_ID,
    number: 1,
    runId: RUN_ID,
    at: NOON + 2000,
    voidsResult: false,
    written: null,
  }
  await commit({ say })
  const [event] = await store.triggersIn(['typed'])
  expect(event?.state).toBe('typed')
  const reading = aReading({ id: TASK_ID, runId: RUN_ID }, { heard: [1] })
  metrics.hear(await store.commit({ reading }))
  const { triggerId: id } = event!
  const steps = await store.triggerSteps(id)
  const submittedAt = steps.at(-1)!.at
  const evidence = [{ source: 'agent', fact: 'a test' }] as const
  const ack = { id, from: 'submitted', event: 'acknowledged', way: 'heartbeat', evidence } as const
  await commit({ trigger: { ...ack, at: submittedAt + 7000 } })
  await commit({
    reading: aReading({ id: TASK_ID, runId: RUN_ID }, { fromOffset: 100, offset: 200, done: [1] }),
  })
  const told = await values()
  const doneAt = (await store.triggerSteps(id)).at(-1)!.at
  expect(told).toMatchObject({
    'holdfast_delivery_seconds_sum{stage="typed"}': 2,
    'holdfast_delivery_seconds_count{stage="submitted"}': 1,
    'holdfast_delivery_seconds_sum{stage="acknowledged"}': 7,
    'holdfast_delivery_seconds_count{stage="done"}': 1,
    'holdfast_delivery_seconds_sum{stage="done"}': Math.max(0, doneAt - submittedAt - 7000) / 1000,
  })
})

test('tokens and cost are counted by agent and model; a model that only an agent named has no label', async () => {
  const { commit, values } = await metricsOver()
  const use = async (id: string, changes: Parameters<typeof aTaskDraft>[0]) => {
    const [taskId, runId] = [asTaskId(id), asRunId(`run-${id}`)]
    await commit({ create: aTaskDraft({ ...changes, id: taskId }) })
    await commit({
      task: aMove(taskId, 'pending', 'launched', { set: { runId } }),
      newRun: aRunDraft(taskId, { id: runId }),
    })
    await commit({ reading: aReading({ id: taskId, runId }, { tokensIn: 10, tokensOut: 1, costUsd: 0.5 }) })
  }
  await use('a', { model: 'opus' })
  await use('b', { model: null })
  await use('c', { model: 'secret-of-an-agent', parentId: asTaskId('a') })
  await use('d', { model: 'opus', parentId: asTaskId('a') })
  await use('e', { model: 'bad"} name\n', createdBy: 'person' })
  const told = await values()
  expect(told['holdfast_tokens_total{agent="scripted",model="opus",direction="in"}']).toBe(20)
  expect(told['holdfast_tokens_total{agent="scripted",model="default",direction="out"}']).toBe(1)
  expect(told['holdfast_cost_usd_total{agent="scripted",model="other"}']).toBe(1)
  expect(Object.keys(told).join()).not.toMatch(/secret|bad/)
})

test('ends of runs are 0 before the first one: `increase()` does not see the first event of a series that it begins', async () => {
  const told = await (await metricsOver()).values()
  for (const ending of ['clean', 'error', 'signal', 'lost', 'void'])
    for (const failure of ['none', 'crash', 'permanent', 'transient', 'environment', 'limit'])
      expect(told[`holdfast_runs_ended_total{ending="${ending}",failure="${failure}"}`]).toBe(0)
})

test('gauges are right at once, without any event', async () => {
  const { store, values } = await metricsOver()
  await store.commit({ create: aTaskDraft() })
  expect(await values()).toMatchObject({
    'holdfast_tasks{status="pending"}': 1,
    'holdfast_tasks{status="running"}': 0,
    'holdfast_tasks_in_phase{phase="queued"}': 1,
    'holdfast_gates_closed{kind="limit"}': 0,
    holdfast_questions_open: 0,
    holdfast_store_up: 1,
    holdfast_tmux_up: 1,
    holdfast_disk_used_bytes: 7,
    holdfast_home_free_bytes: 1000,
    'holdfast_build_info{version="1.2.3",node="v20",store="sqlite"}': 1,
  })
})

test('the age of the oldest closed gate, and how far a subscriber is behind', async () => {
  const { store, values } = await metricsOver()
  await store.takeSubscriber('parents', NOON)
  const since = Date.now() - 60_000
  const gate = {
    key: 'k',
    kind: 'limit',
    reason: 'r',
    since,
    until: since,
    tries: 0,
    canary: null,
    failed: [],
  } as const
  await store.commit({ gate })
  const told = await values()
  expect(told['holdfast_gates_closed{kind="limit"}']).toBe(1)
  expect(told['holdfast_gate_closed_seconds{kind="limit"}']).toBeGreaterThanOrEqual(60)
  expect(told['holdfast_subscriber_lag_events{subscriber="parents"}']).toBe(1)
  expect(told['holdfast_events_set_aside{subscriber="parents"}']).toBe(0)
})

test('events that were set aside, and readers for which old events are kept', async () => {
  const { store, values } = await metricsOver({ daemon: { ...daemon, holdPruning: () => ['parents'] } })
  await store.takeSubscriber('parents', NOON)
  const { events } = await store.commit({
    event: { at: NOON, kind: 'server_started', taskId: null, data: {} },
  })
  await store.commit({ setAside: { subscriber: 'parents', event: events[0]!, at: NOON, error: 'no' } })
  const told = await values()
  expect(told['holdfast_events_set_aside{subscriber="parents"}']).toBe(1)
  expect(told.holdfast_pruning_held).toBe(1)
})

test('what waits for a channel, what was set aside for it and whether it fails, also of one that has nothing to tell', async () => {
  const { store, values } = await metricsOver({ channels: ['mail', 'phone'] })
  await store.commit({ notices: ['n1', 'n2', 'n3'].map((id) => aNoticeDraft(id)) })
  const bind = (id: string, notice: string) => ({
    bindNotices: { id, channel: 'phone', notices: [notice], at: NOON },
  })
  const tried = { channel: 'phone', before: 0, nextAt: NOON, error: 'it answered 404', at: NOON } as const
  await store.commit(bind('d1', 'n1'))
  expect(await values()).toMatchObject({ 'holdfast_channel_failing{channel="phone"}': 0 })
  await store.commit({ tried: { ...tried, id: 'd1', state: 'set_aside' } })
  await store.commit(bind('d2', 'n2'))
  expect(await values()).toMatchObject({
    'holdfast_notices_waiting{channel="phone"}': 2,
    'holdfast_notices_set_aside{channel="phone"}': 1,
    'holdfast_channel_failing{channel="phone"}': 1,
    'holdfast_notices_waiting{channel="mail"}': 0,
    'holdfast_channel_failing{channel="mail"}': 0,
  })
})

test('a store that is down is told as such, and what it would say is absent, not 0', async () => {
  const over = await metricsOver()
  await over.store.close()
  const told = await over.values()
  expect(told.holdfast_store_up).toBe(0)
  expect(
    Object.keys(told).filter((name) => /^holdfast_(tasks\{|tasks_in_phase|questions_open)/.test(name)),
  ).toEqual([])
  expect(told.holdfast_tmux_up).toBe(1)
})

test('a store that does not answer does not hold up a scrape', async () => {
  const { store } = await metricsOver()
  let ring = () => {}
  const { metrics } = await metricsOver({
    store: { ...store, counts: () => new Promise(() => {}) },
    clock: {
      monotonic: () => 0,
      after: (_ms, call) => {
        ring = call
        return () => {}
      },
    },
  })
  const text = metrics.text()
  await new Promise((resolve) => setImmediate(resolve))
  ring()
  expect(await text).toContain('holdfast_store_up 0')
})
