// Triggers of three lines for each real agent in its terminal: at rest, at work, asking, with a person's text in its box.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { asksFirst } from './asks-first.ts'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { PATIENCE_MS, untilPhase } from './recovery-world.ts'
import { agentAtRest, expectOnce, hasArrived, orderOf, statesOf } from './trigger-world.ts'

const lab = useLab()
const kinds = kindsThat(({ can }) => can.modes.includes('interactive'))
const asking = kindsThat(({ can }) => can.modes.includes('interactive') && can.asks.includes('edit'))
const DRAFT = 'half a thought'
const threeLines = (middle: string) => `first "line" 🙂\n${middle}\nthird line, for @nobody`

test.each(kinds)(
  '%s: at rest it is acknowledged by its marker; at work it waits; without a marker it is unconfirmed until its turn is over',
  async (kind) => {
    const { world, id, send, ledger, untilState, untilStep } = await agentAtRest(kind, lab, {
      ackTimeout: '2s',
    })
    const acked = await send(threeLines('DO:ack'))
    await untilState(acked, 'done')
    expectOnce(lab, acked)
    const first = await ledger(acked)
    // On a busy machine, it may come after its time.
    const states = statesOf(first).filter((state) => state !== 'unconfirmed')
    expect(states).toEqual(['queued', 'typed', 'submitted', 'acknowledged', 'done'])
    expect(first).toMatchObject({ acknowledged_by: 'marker', code: null })
    expect(first.steps.every(({ evidence }) => evidence.length > 0)).toBe(true)

    const silent = await send(threeLines('DO:held'))
    await untilStep(silent, 'submitted')
    const waiting = await send(threeLines('DO:text{after it}'))
    expect(await ledger(waiting)).toMatchObject({ state: 'queued', code: null })
    expect(await untilStep(silent, 'unconfirmed')).toMatchObject({ acknowledged_by: null })
    expect(hasArrived(lab, waiting)).toBe(false)
    expect((await ledger(waiting)).state).toBe('queued')
    lab.letGo()
    await untilState(waiting, 'done')
    const late = await ledger(silent)
    expect(statesOf(late)).toEqual(['queued', 'typed', 'submitted', 'unconfirmed', 'done'])
    expect(late.steps.find(({ state }) => state === 'unconfirmed')?.code).toBe('ACK_TIMEOUT')
    for (const sent of [acked, silent, waiting]) expectOnce(lab, sent)
    expect(orderOf(lab)).toEqual([acked.id, silent.id, waiting.id])
    expect((await world.status(id)).retries).toBe(0)
  },
)

test.each(kinds)(
  '%s: a person’s unsent text defers it, stays as it is, and it arrives without that',
  async (kind) => {
    const { send, ledger, press, screen, untilState } = await agentAtRest(kind, lab)
    await press(DRAFT)
    await waitFor('the draft', async () => (await screen()).includes(DRAFT), PATIENCE_MS)
    const before = lab.requests().length
    const sent = await send(threeLines('DO:text{heard}'))
    const deferred = await untilState(sent, 'deferred')
    expect(deferred).toMatchObject({ code: 'OPERATOR_BUSY' })
    await waitFor(
      'the draft as the reason',
      async () => (await ledger(sent)).kept_back?.reason === 'draft',
      PATIENCE_MS,
    )
    expect(await screen()).toContain(DRAFT)
    expect(lab.requests()).toHaveLength(before)

    await press('C-u')
    const done = await untilState(sent, 'done')
    expect(statesOf(done)).toEqual(['queued', 'deferred', 'typed', 'submitted', 'done'])
    expect(JSON.stringify(done.steps[1]?.evidence)).toContain(DRAFT)
    expectOnce(lab, sent)
    expect(JSON.stringify(lab.requests())).not.toContain(DRAFT)
  },
)

test.each(asking)('%s: a dialog keeps it and is not answered by it', async (kind) => {
  const { world, id, send, ledger, untilState } = await agentAtRest(kind, lab, { permission: 'edit' })
  const file = join(lab.project, 'asked.txt')
  await world.ok(['send', id, asksFirst(kind)])
  const asked = await world.untilStatus(id, 'waiting_input', PATIENCE_MS)
  const sent = await send(threeLines('DO:text{after the dialog}'))
  await new Promise((resume) => setTimeout(resume, 2000))
  expect((await world.status(id)).questions).toEqual(asked.questions)
  expect(existsSync(file)).toBe(false)
  expect(await ledger(sent)).toMatchObject({ state: 'queued', code: null })
  expect(hasArrived(lab, sent)).toBe(false)
  await world.ok(['answer', id, '1'])
  const done = await untilState(sent, 'done')
  expect(statesOf(done)).toEqual(['queued', 'typed', 'submitted', 'done'])
  expect(readFileSync(file, 'utf8')).toBe('x')
  expectOnce(lab, sent)
  await untilPhase(world, id, 'idle')
})
