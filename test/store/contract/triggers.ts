import { expect, test } from 'vitest'
import type { RunId, TaskId, TriggerId } from '../../../src/domain/names/ids.ts'
import { saw } from '../../../src/domain/task/evidence.ts'
import type { Trigger } from '../../../src/domain/task/input.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import type { TriggerDraft, TriggerMove } from '../../../src/ports/store/triggers.ts'
import { NOON } from '../../builders/ids.ts'
import { anInputDraft } from '../../builders/input.ts'
import { aMove } from '../../builders/move.ts'
import { aReading } from '../../builders/reading.ts'
import { aRunDraft } from '../../builders/run.ts'
import type { NewPlace } from '../../contract/store-contract.ts'
import { everything, rejectsWith } from '../expectations.ts'
import { launch } from '../samples.ts'
import { recordReading, say } from '../writes.ts'

type Run = { readonly id: TaskId; readonly runId: RunId }
const DRAFT: TriggerDraft = {
  thread: null,
  reason: null,
  key: null,
  framed: 0,
  forcedBy: null,
  forcedWhy: null,
}
const seen = [saw('screen', 'a draft')]

async function sendTo(store: Store, { id }: Run, changes: Partial<TriggerDraft> = {}): Promise<Trigger> {
  const { input } = await store.commit({ input: anInputDraft(id, { trigger: { ...DRAFT, ...changes } }) })
  return input as Trigger
}
const type = (store: Store, { id, runId }: Run, { number }: Trigger) =>
  say(store, { taskId: id, number, runId, at: NOON + 5, written: null })
const story = async (store: Store, id: TriggerId) =>
  (await store.triggerSteps(id)).map(({ number, state, code }) => [number, state, code])
/** The latest row first. */
const auditOfTriggers = async (store: Store) =>
  (await store.audits({})).flatMap(({ kind, detail }) =>
    detail.startsWith('trigger_id=') ? [[kind, detail]] : [],
  )
type What<Move> = Move extends unknown ? Omit<Move, 'id' | 'at' | 'evidence'> : never
const move = ({ triggerId: id }: Trigger, what: What<TriggerMove>) =>
  ({ id, at: NOON + 9, evidence: seen, ...what }) as TriggerMove

export function triggers(newPlace: NewPlace) {
  const open = async () => (await newPlace()).open()

  test('a prompt that somebody sends has an id, a state and steps with evidence; other inputs have none', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const { input: other } = await store.commit({ input: anInputDraft(run.id) })
    expect(other).toMatchObject({ triggerId: null, state: null, framed: 0 })
    const sent = await sendTo(store, run, { thread: 'th_1', reason: 'why', key: 'k', framed: 1 })
    expect(sent).toMatchObject({ triggerId: 'trg_20251118_0001', state: 'queued', framed: 1, thread: 'th_1' })
    await type(store, run, sent)
    await recordReading(store, aReading(run, { heard: [sent.number] }))
    await recordReading(store, aReading(run, { fromOffset: 100, offset: 200, done: [sent.number] }))
    expect(await story(store, sent.triggerId)).toEqual([
      [1, 'queued', null],
      [2, 'typed', null],
      [3, 'submitted', null],
      [4, 'done', null],
    ])
    const steps = await store.triggerSteps(sent.triggerId)
    expect(steps.every(({ evidence }) => evidence.length > 0)).toBe(true)
    expect(await store.trigger(sent.triggerId)).toMatchObject({ state: 'done', stateAt: NOON })
    const told = (await store.events(0, 100)).filter(({ kind }) => kind.startsWith('trigger_'))
    expect(told.map(({ kind }) => kind)).toEqual([
      'trigger_queued',
      'trigger_typed',
      'trigger_submitted',
      'trigger_done',
    ])
    expect(told[1]!.data).toEqual({
      trigger_id: sent.triggerId,
      thread: 'th_1',
      agent_id: null,
      from: 'queued',
      state: 'typed',
      code: null,
    })
    const about = `trigger_id=${sent.triggerId} agent_id=- thread_id=th_1`
    expect((await auditOfTriggers(store)).reverse()).toEqual([
      ['trigger_sent', `${about} result=typed`],
      ['trigger_submitted', `${about} result=submitted`],
      ['trigger_done', `${about} result=done`],
    ])
  })

  test('ids are counted over all tasks and nodes, each once', async () => {
    const place = await newPlace()
    const [a, b] = [await place.open('node-a'), await place.open('node-b')]
    const [one, two] = [await launch(a, 'one'), await launch(b, 'two')]
    const six = (store: Store, run: Run) => Promise.all(Array.from({ length: 6 }, () => sendTo(store, run)))
    const sent = [...(await six(a, one)), ...(await six(b, two))]
    const ids = sent.map(({ triggerId }) => triggerId).sort()
    expect(ids).toEqual(ids.map((_, at) => `trg_20251118_${String(at + 1).padStart(4, '0')}`))
    expect((await a.triggersIn(['queued'])).map(({ taskId }) => taskId)).toEqual(Array(6).fill(one.id))
  })

  test('they are listed newest first, by thread, task and state', async () => {
    const store = await open()
    const [one, two] = [await launch(store, 'one'), await launch(store, 'two')]
    const a = await sendTo(store, one, { thread: 'th_1' })
    const b = await sendTo(store, two, { thread: 'th_1' })
    const c = await sendTo(store, two)
    await type(store, two, c)
    const listed = async (filter: object) =>
      (await store.triggers({ limit: 10, ...filter })).map(({ triggerId }) => triggerId)
    expect(await listed({})).toEqual([c, b, a].map(({ triggerId }) => triggerId))
    expect(await listed({ thread: 'th_1' })).toEqual([b, a].map(({ triggerId }) => triggerId))
    expect(await listed({ taskId: two.id, state: 'typed' })).toEqual([c.triggerId])
    expect(await listed({ limit: 1 })).toEqual([c.triggerId])
    const placeOf = ({ at, triggerId: id }: { at: number; triggerId: string }) => ({ at, id })
    expect(await listed({ after: placeOf(c) })).toEqual([b, a].map(({ triggerId }) => triggerId))
    expect(await listed({ after: placeOf(b), thread: 'th_1' })).toEqual([a.triggerId])
    expect(await listed({ after: placeOf(a) })).toEqual([])
  })

  test('a key names one trigger of a task', async () => {
    const store = await open()
    const [one, two] = [await launch(store, 'one'), await launch(store, 'two')]
    const sent = await sendTo(store, one, { key: 'k' })
    await sendTo(store, two, { key: 'k' })
    const before = await everything(store)
    await rejectsWith(sendTo(store, one, { key: 'k' }), 'TRANSITION_CONFLICT')
    expect(await everything(store)).toEqual(before)
    expect(await store.triggerWithKey(one.id, 'k')).toMatchObject({ triggerId: sent.triggerId })
    expect(await store.triggerWithKey(one.id, 'none')).toBeUndefined()
  })

  test('a step is refused where the trigger has gone on, or the table has none', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const sent = await sendTo(store, run)
    await store.commit({ trigger: move(sent, { from: 'queued', event: 'deferred', code: 'OPERATOR_BUSY' }) })
    expect(await store.trigger(sent.triggerId)).toMatchObject({ state: 'deferred', code: 'OPERATOR_BUSY' })
    const before = await everything(store)
    const late = move(sent, { from: 'queued', event: 'deferred', code: 'OPERATOR_BUSY' })
    await rejectsWith(store.commit({ trigger: late }), 'TRANSITION_CONFLICT')
    await rejectsWith(
      store.commit({ trigger: move(sent, { from: 'deferred', event: 'unconfirmed' }) }),
      'INVALID_TRANSITION',
    )
    expect(await everything(store)).toEqual(before)
    await type(store, run, sent)
    expect((await story(store, sent.triggerId)).at(-1)).toEqual([3, 'typed', null])
  })

  test('an acknowledgement proves the submission, and only a stronger one follows a weaker', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const sent = await sendTo(store, run, { framed: 1 })
    await type(store, run, sent)
    await store.commit({ trigger: move(sent, { from: 'typed', event: 'acknowledged', way: 'heartbeat' }) })
    const acknowledge = (way: 'marker' | 'ack_trigger') =>
      store.commit({ trigger: move(sent, { from: 'acknowledged', event: 'acknowledged', way }) })
    await acknowledge('marker')
    await acknowledge('ack_trigger')
    expect((await story(store, sent.triggerId)).map(([, state]) => state)).toEqual([
      'queued',
      'typed',
      'submitted',
      'acknowledged',
      'acknowledged',
    ])
    expect(await store.trigger(sent.triggerId)).toMatchObject({ ackBy: 'ack_trigger', heardAt: NOON + 9 })
  })

  test('what a run did not hear falls back to the next, what it was typed in vain is queued again', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const [unheard, vain, waits] = [
      await sendTo(store, run),
      await sendTo(store, run),
      await sendTo(store, run),
    ]
    await type(store, run, unheard)
    await type(store, run, vain)
    await store.commit({ takeBack: { taskId: run.id, runId: run.runId, number: vain.number } })
    expect((await story(store, vain.triggerId)).at(-1)).toEqual([3, 'queued', null])
    await store.commit({
      unsay: { taskId: run.id, runId: run.runId, from: 1 },
      fallBack: {
        taskId: run.id,
        runId: run.runId,
        how: 'resume',
        at: NOON + 9,
        code: 'PANE_DEAD',
        evidence: seen,
      },
    })
    for (const one of [unheard, vain, waits])
      expect(await store.trigger(one.triggerId)).toMatchObject({
        state: 'fallen_back',
        code: 'PANE_DEAD',
        saidAt: null,
      })
  })

  test('what waits for a session that does not come back without a person waits for one', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const [typed, waits] = [await sendTo(store, run), await sendTo(store, run)]
    await type(store, run, typed)
    const code = 'SPAWN_FAILED' as const
    await store.commit({ deferWaiting: { taskId: run.id, at: NOON + 9, code, evidence: seen } })
    expect(await store.trigger(waits.triggerId)).toMatchObject({ state: 'deferred', code, saidAt: null })
    expect(await store.trigger(typed.triggerId)).toMatchObject({ state: 'typed' })
    const fallBack = {
      taskId: run.id,
      runId: run.runId,
      how: 'resume',
      at: NOON + 10,
      evidence: seen,
    } as const
    await store.commit({ fallBack: { ...fallBack, code: 'REGISTRY_DRIFT' } })
    expect(await store.trigger(waits.triggerId)).toMatchObject({
      state: 'fallen_back',
      code: 'REGISTRY_DRIFT',
    })
  })

  test('what nobody can tell about stays open when its run is over', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const sent = await sendTo(store, run)
    await type(store, run, sent)
    await store.commit({
      fallBack: {
        taskId: run.id,
        runId: run.runId,
        how: 'resume',
        at: NOON + 9,
        code: 'PANE_DEAD',
        evidence: seen,
      },
    })
    expect(await store.trigger(sent.triggerId)).toMatchObject({ state: 'unconfirmed', saidAt: NOON + 5 })
  })

  test('a trigger that falls back is to be said again, and an end without proof leaves it unconfirmed', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const [back, unproven] = [await sendTo(store, run, { framed: 1 }), await sendTo(store, run)]
    for (const one of [back, unproven]) await type(store, run, one)
    await recordReading(store, aReading(run, { heard: [back.number] }))
    await store.commit({
      trigger: move(back, { from: 'submitted', event: 'fell_back', code: 'ACK_TIMEOUT' }),
    })
    expect(await store.trigger(back.triggerId)).toMatchObject({ saidAt: null, heardAt: null, runId: null })
    expect((await auditOfTriggers(store))[0]).toEqual([
      'trigger_fallen_back',
      `trigger_id=${back.triggerId} agent_id=- thread_id=- result=fallen_back (ACK_TIMEOUT)`,
    ])
    const reading = { fromOffset: 100, offset: 200, done: [unproven.number], unproven: true }
    await recordReading(store, aReading(run, reading))
    expect(await store.trigger(unproven.triggerId)).toMatchObject({ state: 'unconfirmed', doneAt: NOON })
  })

  test.each([
    ['resume', 'fallback_resume'],
    ['with_context', 'fallback_spawn'],
  ] as const)(
    'a fall back to a run that begins with %s succeeds when that run has it, not when it is typed',
    async (how, kind) => {
      const store = await open()
      const run = await launch(store, 'one')
      const sent = await sendTo(store, run)
      await store.commit({ task: aMove(run.id, 'running', 'requeued') })
      const newRun = aRunDraft(run.id, { number: 2, how })
      const next = { id: run.id, runId: newRun.id }
      const before = { taskId: run.id, runId: run.runId, at: NOON + 9, evidence: seen } as const
      await store.commit({
        newRun,
        task: aMove(run.id, 'pending', 'launched', { set: { runId: newRun.id } }),
        fallBack: { ...before, how, code: 'PANE_DEAD' },
      })
      const kinds = async () => (await auditOfTriggers(store)).map(([kind]) => kind)
      expect((await kinds()).slice(0, 2)).toEqual([`${kind}_started`, 'trigger_fallen_back'])
      await type(store, next, sent)
      expect((await kinds())[0]).toBe('trigger_sent')
      await recordReading(store, aReading(next, { heard: [sent.number] }))
      expect((await kinds()).slice(0, 2)).toEqual([`${kind}_succeeded`, 'trigger_submitted'])
      await recordReading(store, aReading(next, { fromOffset: 100, offset: 200, done: [sent.number] }))
      expect((await kinds())[0]).toBe('trigger_done')
    },
  )

  test('with its session it fails, and is queued again when the session is brought back', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const [waits, typed] = [await sendTo(store, run), await sendTo(store, run)]
    await type(store, run, typed)
    await store.commit({ task: aMove(run.id, 'running', 'cancelled') })
    expect(await store.trigger(waits.triggerId)).toMatchObject({ state: 'failed', code: 'TARGET_NOT_FOUND' })
    expect(await store.trigger(typed.triggerId)).toMatchObject({ state: 'unconfirmed' })
    await store.commit({ task: aMove(run.id, 'cancelled', 'reopened') })
    expect(await store.trigger(waits.triggerId)).toMatchObject({ state: 'queued', code: null })
  })

  test('of two who force it the first counts, on the record; nobody forces what is said', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const sent = await sendTo(store, run)
    const force = (by: string) => store.commit({ force: { id: sent.triggerId, by, why: 'now', at: NOON } })
    const outcomes = await Promise.allSettled([force('ann'), force('bob')])
    const counted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(counted).toMatchObject([
      { events: [{ kind: 'trigger_forced', data: { trigger_id: sent.triggerId, reason: 'now' } }] },
    ])
    expect(await store.audits({ kind: 'trigger_forced' })).toHaveLength(1)
    const later = await sendTo(store, run, { forcedBy: 'cleo', forcedWhy: 'why not' })
    expect(await store.audits({ kind: 'trigger_forced' })).toMatchObject([
      { actor: 'cleo', detail: `trigger_id=${later.triggerId} why not` },
      {},
    ])
    const plain = await sendTo(store, run)
    await type(store, run, plain)
    await rejectsWith(
      store.commit({ force: { id: plain.triggerId, by: 'ann', why: 'x', at: NOON } }),
      'TRANSITION_CONFLICT',
    )
  })

  test('a removed session takes its triggers and their steps with it', async () => {
    const store = await open()
    const run = await launch(store, 'one')
    const sent = await sendTo(store, run)
    await store.commit({ task: aMove(run.id, 'running', 'cancelled', { set: { endedAt: NOON } }) })
    await store.commit({ run: { id: run.runId, from: 'launching', event: 'voided' } })
    await store.commit({ tidied: { id: run.id, isTidied: true } })
    await store.commit({ remove: { id: run.id, at: NOON } })
    expect(await store.trigger(sent.triggerId)).toBeUndefined()
    expect(await store.triggerSteps(sent.triggerId)).toEqual([])
  })
}
