// Answers that come back by a channel: in somebody's name, for one question of one run, once.
import { expect, test } from 'vitest'
import { asRunId } from '../../src/domain/names/ids.ts'
import { hear } from '../../src/notify/inbound/hear.ts'
import { startNotify } from './notify-world.ts'

const ada = { kind: 'channel', channel: 'phone', user: 'ada', name: 'memory:phone:ada' } as const

/** An agent in its terminal that asks, and the question as it was told. */
async function asking(...more: Parameters<typeof startNotify>) {
  const it = await startNotify(...more)
  const { id, agent } = await it.atRest('fix-login')
  agent.asks('May I delete it?', ['yes', 'no'])
  await it.clock.passUntil('the question', async () => (await it.task(id)).phase === 'asking')
  await it.untilSent(1)
  const told = it.sent.flatMap(({ notices }) => notices).find(({ kind }) => kind === 'question')!
  return { ...it, id, agent, told }
}

test('a button answers its question in the name of who pressed it, and the agent gets it', async () => {
  const it = await asking()
  expect(it.told).toMatchObject({ title: 'fix-login asks: May I delete it?', question: { number: 1 } })
  expect(it.told.text).toContain(`holdfast answer ${it.id} <choice>`)
  expect(it.told.buttons.map(({ label }) => label)).toEqual(['yes', 'no'])
  expect(await it.presses(it.told.buttons[1]!.ticket)).toMatchObject({
    status: 200,
    body: 'Answered fix-login: no',
  })
  await it.clock.passUntil('it to be heard', () => it.agent.heard.length === 2)
  const audits = await it.core.store.audits({ taskId: it.id, kind: 'question_answered' })
  expect(audits).toMatchObject([{ actor: 'memory:phone:ada' }])
})

test('a second answer says who answered, and what', async () => {
  const it = await asking()
  await it.presses(it.told.buttons[0]!.ticket)
  expect(await it.presses(it.told.buttons[1]!.ticket)).toMatchObject({
    status: 409,
    body: 'Too late: answered already by memory:phone:ada: yes.',
  })
})

test('of two who answer at once by two channels one is told that it is too late, and the agent gets one answer', async () => {
  const it = await asking({ also: 'tablet' })
  await it.untilSent(2)
  const told = it.sent.flatMap(({ notices }) => notices).filter(({ kind }) => kind === 'question')
  expect(new Set(told.map(({ id }) => id)).size).toBe(2)
  const [first, second] = await Promise.all([
    it.presses(told[0]!.buttons[0]!.ticket, 'phone'),
    it.presses(told[1]!.buttons[1]!.ticket, 'tablet'),
  ])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  const late = first.status === 409 ? first : second
  expect(late.body).toMatch(/answered already|the question is over|no open question/i)
  await it.clock.passUntil('it to be heard', () => it.agent.heard.length === 2)
  await it.clock.pass(60_000)
  expect(it.agent.heard).toHaveLength(2)
  expect(await it.core.store.audits({ taskId: it.id, kind: 'question_answered' })).toHaveLength(1)
})

test('a question of a session that was removed says so', async () => {
  const it = await asking()
  it.desk.notices.question = async () => undefined
  expect(await it.presses(it.told.buttons[0]!.ticket)).toMatchObject({
    status: 409,
    body: 'Too late: its session was removed.',
  })
})

test('a button of an earlier dialog never answers the next one', async () => {
  const it = await asking()
  await it.presses(it.told.buttons[0]!.ticket)
  await it.clock.passUntil('it to be heard', () => it.agent.heard.length === 2)
  it.agent.asks('Drop the database?', ['yes', 'no'])
  await it.clock.passUntil('the next question', async () =>
    (await it.core.store.openQuestions(it.id)).some(({ number }) => number === 2),
  )
  const heard = it.agent.heard.length
  expect(await it.presses(it.told.buttons[0]!.ticket)).toMatchObject({ status: 409 })
  await it.clock.pass(10_000)
  expect(it.agent.heard).toHaveLength(heard)
  expect((await it.core.store.openQuestions(it.id)).map(({ answer }) => answer)).toEqual([null])
})

test('a button expires', async () => {
  const it = await asking({ answerWithinMs: 60_000 })
  await it.clock.pass(2 * 60_000)
  expect(await it.presses(it.told.buttons[0]!.ticket)).toMatchObject({
    status: 409,
    body: 'Too late: this button has expired.',
  })
})

test('a ticket that was changed, or made up, is refused', async () => {
  const it = await asking()
  const { ticket } = it.told.buttons[0]!
  const [notice, , signature] = ticket.split('.')
  for (const forged of [`${notice}.1.${signature}`, `${ticket}x`, 'n0.0.x', ticket.toUpperCase(), ''])
    await expect(it.presses(forged)).rejects.toMatchObject({ code: 'INBOUND_REFUSED' })
  expect(Buffer.byteLength(ticket)).toBeLessThanOrEqual(64)
})

test('a question that was answered before its channel was told is told to nobody', async () => {
  const it = await startNotify()
  const { id, agent } = await it.atRest('fix-login')
  agent.asks('May I delete it?', ['yes', 'no'])
  await it.clock.passUntil('the question', async () => (await it.task(id)).phase === 'asking')
  await it.desk.conversation.answer(await it.task(id), { choice: 'yes', number: 1, by: 'policy' })
  await it.clock.pass(60_000)
  expect(it.titles().filter((title) => title.includes('asks'))).toEqual([])
  expect((await it.log()).find(({ kind }) => kind === 'question')?.dropped).toMatch(
    /^answered already by policy: yes$|^the question is over$/,
  )
})

test('a rule that answers the question keeps people from being told', async () => {
  const it = await startNotify({}, { answers: [{ match: 'May I', agent: null, answer: 'yes' }] })
  const { agent } = await it.atRest('fix-login')
  agent.asks('May I delete it?', ['yes', 'no'])
  await it.clock.passUntil('the answer', () => agent.heard.length === 2)
  await it.clock.pass(60_000)
  expect(it.titles()).toEqual([])
})

test('a question that is over by the time its receiver is back says so, and has no buttons', async () => {
  const it = await startNotify()
  let isDown = true
  it.hands.answers = () => (isDown ? { kind: 'later', why: 'no answer' } : { kind: 'sent' })
  const { id, agent } = await it.atRest('fix-login')
  agent.asks('May I delete it?', ['yes', 'no'])
  await it.untilSent(1)
  await it.desk.conversation.answer(await it.task(id), { choice: 'yes', number: 1, by: 'ada' })
  isDown = false
  await it.untilSent(2)
  expect(it.sent.at(-1)?.notices[0]).toMatchObject({
    title: expect.stringMatching(/\((answered already by ada: yes|the question is over)\)$/),
    buttons: [],
    question: null,
  })
})

test('chat commands show and answer sessions, in the name of who wrote them', async () => {
  const it = await asking()
  const needs = { ...it, log: it.core.log, answerWithinMs: 1 }
  const say = async (text: string, key = text) =>
    (await hear({ user: 'ada', key, what: { kind: 'command', text } }, ada, needs)).words
  expect(await say('/tasks')).toMatch(new RegExp(`^${it.id} · waiting_input, asking · `))
  expect(await say(`/task status ${it.id}`)).toContain('Question 1: May I delete it?\n1. yes\n2. no')
  expect(await say('/task history fix-login')).toContain('question_asked: ')
  expect(await say('/answer fix-login no')).toBe('Answered fix-login: no')
  expect(await say('/answer fix-login yes')).toMatch(/answered already|no open question/i)
  expect(await say('/task status nothing')).toContain('not found')
  expect(await say('hello')).toContain('/task cancel')
  expect(await it.core.store.audits({ taskId: it.id, kind: 'question_answered' })).toMatchObject([
    { actor: 'memory:phone:ada' },
  ])
})

/** What is written in the chat; the words of the reply. */
async function writing(...more: Parameters<typeof startNotify>) {
  const it = await asking(...more)
  const needs = { ...it, log: it.core.log, answerWithinMs: 1 }
  const say = (text: string, key: string) =>
    hear({ user: 'ada', key, what: { kind: 'command', text } }, ada, needs)
  return { ...it, say }
}

test('a session that is being ended for longer than a chat waits is said to be', async () => {
  const it = await writing()
  let ended = (_: boolean) => {}
  it.desk.orders.give = async () => () => new Promise((resolve) => (ended = resolve))
  let words = ''
  const said = it.say('/task cancel fix-login', 'update-1').then((reply) => (words = reply.words))
  await it.clock.pass(1999)
  expect(words).toBe('')
  await it.clock.pass(1)
  await said
  expect(words).toBe(`${it.id} is being ended.`)
  ended(true)
})

test('a chat shows what an agent asks without secrets and invisible marks', async () => {
  const it = await startNotify()
  const { id, agent } = await it.atRest('fix-login')
  agent.asks('May I use \u202Esk-abcdefgh\u200Bijklmnopqrst1234?', ['yes', 'no'])
  await it.clock.passUntil('the question', async () => (await it.task(id)).phase === 'asking')
  const needs = { ...it, log: it.core.log, answerWithinMs: 1 }
  const said = { user: 'ada', key: 'update-1', what: { kind: 'command', text: '/task status last' } } as const
  expect((await hear(said, ada, needs)).words).toContain('Question 1: May I use [redacted]?\n1. yes')
})

test('an /answer that comes again says what the first one said, and does not answer the next question', async () => {
  const it = await writing()
  const first = await it.say('/answer fix-login no', 'update-1')
  expect(first).toEqual({ done: true, words: 'Answered fix-login: no' })
  expect(await it.say('/answer fix-login no', 'update-1')).toEqual(first)
  await it.clock.passUntil('it to be heard', () => it.agent.heard.length === 2)
  it.agent.asks('Keep the backup?', ['yes', 'no'])
  await it.clock.passUntil('the next question', async () =>
    (await it.core.store.openQuestions(it.id)).some(({ number }) => number === 2),
  )
  expect(await it.say('/answer fix-login no', 'update-1')).toEqual(first)
  expect((await it.core.store.openQuestions(it.id)).map(({ answer }) => answer)).toEqual([null])
  expect(await it.say('/answer fix-login yes', 'update-2')).toMatchObject({
    words: 'Answered fix-login: yes',
  })
})

test('an /answer to the last session that comes again when another one is the last does not answer that one', async () => {
  const it = await writing()
  const first = await it.say('/answer last no', 'update-1')
  const next = await it.atRest('next')
  next.agent.asks('Drop the database?', ['yes', 'no'])
  await it.clock.passUntil('its question', async () => (await it.task(next.id)).phase === 'asking')
  expect(await it.say('/answer last no', 'update-1')).toEqual(first)
  expect((await it.core.store.openQuestions(next.id)).map(({ answer }) => answer)).toEqual([null])
})

test('a question of another run than the one that was told is too late', async () => {
  const it = await asking()
  const { question } = it.desk.notices
  it.desk.notices.question = async (...which) => {
    const found = await question(...which)
    return found && { ...found, runId: asRunId('another-run') }
  }
  expect(await it.presses(it.told.buttons[0]!.ticket)).toMatchObject({
    status: 409,
    body: 'Too late: the question is over.',
  })
})

test('a chat must name the session that it ends: the last one may be another when the command comes again', async () => {
  const it = await writing()
  expect(await it.say('/task cancel last', 'update-1')).toMatchObject({
    words: "Name the session to end: 'last' may be another one by now.",
  })
  expect((await it.task(it.id)).stop).toBeNull()
})
