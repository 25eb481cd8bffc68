// What people are told: once, together, not at night, and not lost while a receiver is down.
import { expect, test } from 'vitest'
import { ROOMS } from '../../src/channels/rooms.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import type { ChannelMessage, Room } from '../../src/ports/channel.ts'
import { settled } from '../helpers/settled.ts'
import { GROUP_MS, startNotify } from './notify-world.ts'

const HOUR_MS = 3_600_000

test('ends within a short time are one delivery, with the id that each try has', async () => {
  const it = await startNotify()
  const [one, two] = [await it.agent('one'), await it.agent('two')]
  await it.finishes(one.id)
  await it.clock.pass(1000)
  await it.finishes(two.id)
  await it.clock.pass(GROUP_MS - 1500)
  expect(it.sent).toEqual([])
  await it.untilSent(1)
  expect(it.sent).toMatchObject([
    {
      id: 'delivery-1',
      notices: [
        { kind: 'completion', sessionId: one.id, title: expect.stringMatching(/^one completed/) },
        { kind: 'completion', sessionId: two.id },
      ],
    },
  ])
  await it.clock.pass(60_000)
  expect(it.sent).toHaveLength(1)
})

test('a receiver that is down for an hour and back: nothing lost, nothing twice, nothing in a burst', async () => {
  const it = await startNotify({}, { maxConcurrent: 50 })
  let isDown = true
  it.hands.answers = () => (isDown ? { kind: 'later', why: 'no answer' } : { kind: 'sent' })
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    const { id } = await it.agent(`task-${n}`)
    await it.finishes(id)
    await it.clock.pass(5 * 60_000)
    ids.push(id)
  }
  const whileDown = it.sent.length
  expect(new Set(it.sent.map(({ id }) => id))).toEqual(new Set(['delivery-1']))
  expect(whileDown).toBeLessThan(20)
  isDown = false
  await it.clock.pass(HOUR_MS)
  const taken = it.sent.slice(whileDown)
  expect(taken.map(({ notices }) => notices.length)).toEqual([1, 11])
  expect(taken.flatMap(({ notices }) => notices.map(({ sessionId }) => sessionId)).sort()).toEqual(ids.sort())
})

test('the same over an hour in which the daemon is killed again and again', async () => {
  const it = await startNotify({}, { maxConcurrent: 50 })
  let isDown = true
  it.hands.answers = () => (isDown ? { kind: 'later', why: 'no answer' } : { kind: 'sent' })
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    const { id } = await it.agent(`task-${n}`)
    await it.finishes(id)
    await it.clock.pass(4 * 60_000)
    await it.senderStarts()
    await it.clock.pass(60_000)
    ids.push(id)
  }
  const whileDown = it.sent.length
  // A new daemon does not begin anew with short pauses.
  expect(whileDown).toBeLessThan(20)
  isDown = false
  await it.clock.pass(HOUR_MS)
  const taken = it.sent.slice(whileDown)
  expect(taken.map(({ notices }) => notices.length)).toEqual([1, 11])
  expect(taken.flatMap(({ notices }) => notices.map(({ sessionId }) => sessionId)).sort()).toEqual(ids.sort())
})

const SMALL: Room = { ...ROOMS.telegram, notices: 4 }

test('what does not fit into one message is told by several, a pause apart, the most urgent first, each once', async () => {
  const it = await startNotify({ room: SMALL }, { maxConcurrent: 50, retries: 0 })
  const at: number[] = []
  it.hands.answers = () => {
    at.push(it.clock.now())
    return { kind: 'sent' }
  }
  const ids: string[] = []
  for (let n = 0; n < 9; n++) ids.push((await it.agent(`task-${n}`)).id)
  for (const id of ids.slice(0, 8)) await it.finishes(id as TaskId)
  await it.fails(ids[8] as TaskId, 'prod deploy broke')
  await it.untilSent(3)
  await it.clock.pass(60_000)
  expect(it.sent.map(({ notices }) => notices.length)).toEqual([4, 4, 1])
  expect(it.sent[0]!.title).toMatch(/^task-8 failed: .*prod deploy broke · and 3 completed$/)
  expect(it.sent.flatMap(({ notices }) => notices.map(({ sessionId }) => sessionId)).sort()).toEqual(
    ids.sort(),
  )
  expect(new Set(it.sent.map(({ id }) => id)).size).toBe(3)
  expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(GROUP_MS)
  expect(at[2]! - at[1]!).toBeGreaterThanOrEqual(GROUP_MS)
})

test('daemons die between the messages of a night, and after each that was taken: nothing is lost, nothing twice', async () => {
  const it = await startNotify({ room: SMALL, quietHours: '11:00-13:00' }, { maxConcurrent: 50 })
  const ids: string[] = []
  for (let n = 0; n < 9; n++) {
    const { id } = await it.agent(`task-${n}`)
    await it.finishes(id)
    ids.push(id)
  }
  const taken: ChannelMessage[] = []
  it.hands.answers = (told) => {
    taken.push(told)
    return { kind: 'sent' }
  }
  await it.clock.passUntil('the first to be sent', () => taken.length === 1, 2 * HOUR_MS)
  for (const count of [2, 3]) {
    await settled()
    await it.senderStarts()
    await it.clock.passUntil(`${count} to be sent`, () => taken.length === count, HOUR_MS)
  }
  await it.senderStarts()
  await it.clock.pass(HOUR_MS)
  expect(taken).toHaveLength(3)
  expect(taken.flatMap(({ notices }) => notices.map(({ sessionId }) => sessionId)).sort()).toEqual(ids.sort())
})

test('what the receiver finds too big is sent in halves, also when the daemon is killed before it knew', async () => {
  const it = await startNotify({}, { maxConcurrent: 50 })
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    const { id } = await it.agent(`task-${n}`)
    await it.finishes(id)
    ids.push(id)
  }
  const taken: ChannelMessage[] = []
  let isFirst = true
  it.hands.answers = async (told) => {
    if (told.notices.length <= 2) {
      taken.push(told)
      return { kind: 'sent' }
    }
    if (isFirst) {
      isFirst = false
      await it.senderDies()
    }
    return { kind: 'too_big', why: 'it answered 413' }
  }
  await it.untilSent(1)
  await it.senderStarts()
  await it.clock.passUntil(
    'all to be taken',
    () => taken.flatMap(({ notices }) => notices).length === 5,
    HOUR_MS,
  )
  await it.clock.pass(HOUR_MS)
  expect(taken.flatMap(({ notices }) => notices.map(({ sessionId }) => sessionId)).sort()).toEqual(ids.sort())
  expect((await it.log()).every(({ delivery }) => delivery?.state === 'sent')).toBe(true)
})

test('one that is too big for its receiver by itself is set aside', async () => {
  const it = await startNotify()
  it.hands.answers = () => ({ kind: 'too_big', why: 'it answered 413' })
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  await settled()
  expect(await it.log()).toMatchObject([{ delivery: { state: 'set_aside', error: 'it answered 413' } }])
})

test('of several receivers, those who have it are not told again, also by the next daemon', async () => {
  const it = await startNotify()
  const told: string[] = []
  let isDown = true
  it.hands.answers = async (_, { taken, take }) => {
    if (!taken.has('ada')) {
      told.push('ada')
      await take('ada')
    }
    if (isDown) return { kind: 'later', why: 'bob is away' }
    told.push('bob')
    await take('bob')
    return { kind: 'sent' }
  }
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(2)
  await it.senderStarts()
  isDown = false
  await it.untilSent(3)
  await it.clock.pass(60_000)
  expect(told).toEqual(['ada', 'bob'])
})

test('a receiver who is away for an hour keeps no other from anything; when they are back, they get what they missed', async () => {
  const it = await startNotify({}, { maxConcurrent: 50 })
  const told: Record<string, string[]> = { ada: [], bob: [] }
  let isAway = true
  it.hands.answers = async ({ notices }, { taken, take }) => {
    const about = notices.map(({ title }) => title.split(' ')[0] ?? '')
    for (const one of ['ada', 'bob'])
      if (!taken.has(one) && !(isAway && one === 'bob')) {
        told[one]?.push(...about)
        await take(one)
      }
    return isAway ? { kind: 'later', why: 'bob is away' } : { kind: 'sent' }
  }
  const names = ['one', 'two', 'three']
  for (const [at, name] of names.entries()) {
    await it.finishes((await it.agent(name)).id)
    await it.clock.pass(15_000)
    expect(told.ada).toEqual(names.slice(0, at + 1))
    await it.clock.pass(20 * 60_000)
  }
  // One try each ten minutes for each that he lacks, at most.
  expect(it.sent.length).toBeLessThan(40)
  await it.senderStarts()
  isAway = false
  await it.clock.pass(HOUR_MS)
  expect(told).toEqual({ ada: names, bob: expect.arrayContaining(names) })
  expect(told.bob).toHaveLength(3)
})

test('a receipt that could not be stored counts as long as the daemon lives', async () => {
  const it = await startNotify()
  const { change } = it.desk.notices
  it.desk.notices.change = async (one) => {
    if ('taken' in one) throw new Error('the store is locked')
    return change(one)
  }
  let asked = 0
  it.hands.answers = async (_, { taken, take }) => {
    if (!taken.has('ada')) asked++
    await take('ada')
    return it.sent.length < 3 ? { kind: 'later', why: 'bob is away' } : { kind: 'sent' }
  }
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(3)
  expect(asked).toBe(1)
})

test('what will never work is set aside and told in the journal; a person has it tried again', async () => {
  const it = await startNotify()
  it.hands.answers = () => ({ kind: 'never', why: 'it answered 404' })
  const { id } = await it.agent('one')
  await it.finishes(id)
  await it.clock.pass(60_000)
  expect(it.sent).toHaveLength(1)
  expect(await it.notify.channels()).toMatchObject([{ setAside: 1, lastError: 'it answered 404' }])
  const events = await it.core.store.events(0, 1000)
  expect(events.filter(({ kind }) => kind === 'delivery_set_aside')).toMatchObject([
    { data: { channel: 'phone', delivery: 'delivery-1', why: 'it answered 404' } },
  ])
  it.hands.answers = () => ({ kind: 'sent' })
  await it.notify.retry('phone')
  await it.untilSent(2)
  expect(it.sent[1]).toMatchObject({ id: 'delivery-1' })
  await settled()
  expect(await it.log()).toMatchObject([{ delivery: { state: 'sent' } }])
})

test('one that never answers is given up after a while', async () => {
  const it = await startNotify({ giveUpAfterMs: 10 * 60_000 })
  it.hands.answers = () => ({ kind: 'later', why: 'no answer' })
  await it.finishes((await it.agent('one')).id)
  await it.clock.pass(30 * 60_000)
  expect(await it.log()).toMatchObject([{ delivery: { state: 'set_aside', error: 'no answer' } }])
})

test('hours in which nobody tries do not count: quiet ones, and those without a daemon', async () => {
  // The hands stand at noon.
  const it = await startNotify({ giveUpAfterMs: HOUR_MS, quietHours: '12:10-15:00' })
  it.hands.answers = () => ({ kind: 'later', why: 'no answer' })
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  const next = async () => it.untilSent(it.sent.length + 1)
  await it.clock.pass(3 * HOUR_MS)
  await next()
  expect(await it.log()).toMatchObject([{ delivery: { state: 'waiting' } }])
  await it.senderDies()
  await it.clock.pass(2 * HOUR_MS)
  await it.senderStarts()
  await next()
  expect(await it.log()).toMatchObject([{ delivery: { state: 'waiting' } }])
  await it.clock.pass(HOUR_MS)
  expect(await it.log()).toMatchObject([{ delivery: { state: 'set_aside' } }])
})

test('a receiver that asks to be left alone is left alone for that time', async () => {
  const it = await startNotify()
  it.hands.answers = ({ id }) =>
    it.sent.filter((told) => told.id === id).length === 1
      ? { kind: 'later', why: 'busy', afterMs: 20 * 60_000 }
      : { kind: 'sent' }
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  await it.clock.pass(19 * 60_000)
  expect(it.sent).toHaveLength(1)
  await it.clock.pass(2 * 60_000)
  expect(it.sent).toHaveLength(2)
})

test('a daemon that dies between sending and storing sends once more, with the same id', async () => {
  const it = await startNotify()
  let die = () => {}
  it.hands.answers = () => new Promise((resolve) => (die = () => resolve({ kind: 'sent' })))
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  // The next daemon begins while nothing was stored of what the receiver said.
  it.hands.answers = () => ({ kind: 'sent' })
  await it.senderStarts()
  await it.untilSent(2)
  expect(it.sent.map(({ id }) => id)).toEqual(['delivery-1', 'delivery-1'])
  die()
  await it.clock.pass(60_000)
  await it.senderStarts()
  await it.clock.pass(60_000)
  expect(it.sent).toHaveLength(2)
})

test('a daemon that is stopped waits for a message on its way: the next one does not send it again', async () => {
  const it = await startNotify()
  let take = () => {}
  it.hands.answers = () => new Promise((resolve) => (take = () => resolve({ kind: 'sent' })))
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  const stopped = it.senderStops()
  await settled()
  take()
  await stopped
  expect(await it.log()).toMatchObject([{ delivery: { state: 'sent' } }])
  await it.senderStarts()
  await it.clock.pass(60_000)
  expect(it.sent).toHaveLength(1)
})

test('what a receiver does not answer to is said to be on its way, and holds up the stop of a daemon for five seconds', async () => {
  const it = await startNotify()
  it.hands.answers = () => new Promise(() => {})
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  expect(await it.seen()).toMatchObject([{ why: 'it is being sent' }])
  let isStopped = false
  const stopped = it.senderStops().then(() => (isStopped = true))
  await it.clock.pass(4999)
  expect(isStopped).toBe(false)
  await it.clock.pass(1)
  await stopped
})

test('what was taken is not sent again when that could not be stored at once', async () => {
  const it = await startNotify()
  const { change } = it.desk.notices
  let failures = 0
  it.desk.notices.change = async (one) => {
    if ('tried' in one && failures++ < 3) throw new Error('the store is locked')
    return change(one)
  }
  await it.finishes((await it.agent('one')).id)
  await it.clock.pass(60_000)
  expect(failures).toBeGreaterThan(3)
  expect(it.sent).toHaveLength(1)
  expect(await it.log()).toMatchObject([{ delivery: { state: 'sent' } }])
})

test('what happened while no daemon told anybody is told by the next one, over two restarts', async () => {
  const it = await startNotify()
  const [one, two] = [await it.agent('one'), await it.agent('two')]
  await it.senderDies()
  await it.finishes(one.id)
  await it.senderStarts()
  await it.senderDies()
  await it.finishes(two.id)
  await it.senderStarts()
  await it.clock.pass(60_000)
  expect(it.sent.flatMap(({ notices }) => notices.map(({ sessionId }) => sessionId)).sort()).toEqual([
    one.id,
    two.id,
  ])
})

test('in quiet hours nothing is sent; at their end all is told together', async () => {
  // The hands stand at noon.
  const it = await startNotify({ quietHours: '11:00-14:00' })
  const noon = it.clock.now()
  const passUntil = (minutes: number) => it.clock.pass(noon + minutes * 60_000 - it.clock.now())
  const [one, two] = [await it.agent('one'), await it.agent('two')]
  await it.finishes(one.id)
  await passUntil(60)
  await it.finishes(two.id)
  await passUntil(119)
  expect(it.sent).toEqual([])
  await passUntil(122)
  expect(it.sent.map(({ notices }) => notices.length)).toEqual([2])
})

test('quiet hours over midnight: nothing is sent before it or after it; at their end all is told together', async () => {
  const it = await startNotify({ quietHours: '22:00-07:00' }, { 'reconcile.interval': 10 * 60_000 })
  const noon = it.clock.now()
  const passUntil = (hours: number, minutes: number) =>
    it.clock.pass(noon + ((hours - 12) * 60 + minutes) * 60_000 - it.clock.now())
  const [one, two, three] = [await it.agent('one'), await it.agent('two'), await it.agent('three')]
  await it.finishes(one.id)
  await it.untilSent(1)
  await passUntil(23, 30)
  await it.finishes(two.id)
  await passUntil(24 + 1, 0)
  await it.finishes(three.id)
  await passUntil(24 + 6, 59)
  expect(it.sent).toHaveLength(1)
  await passUntil(24 + 7, 1)
  expect(it.sent.map(({ notices }) => notices.map(({ sessionId }) => sessionId))).toEqual([
    [one.id],
    [two.id, three.id],
  ])
})

test('in quiet hours daemons die and come; at the end all is told together, once', async () => {
  const it = await startNotify({ quietHours: '11:00-14:00' }, { maxConcurrent: 50 })
  const noon = it.clock.now()
  const passUntil = (minutes: number) => it.clock.pass(noon + minutes * 60_000 - it.clock.now())
  const ids: string[] = []
  for (const minutes of [20, 40, 60, 80]) {
    const { id } = await it.agent(`at-${minutes}`)
    await it.finishes(id)
    ids.push(id)
    await passUntil(minutes)
    if (minutes % 40 === 0) await it.senderStarts()
    else await it.senderDies()
  }
  await passUntil(119)
  expect(it.sent).toEqual([])
  await passUntil(121)
  await it.senderStarts()
  await passUntil(125)
  expect(it.sent.map(({ notices }) => notices.map(({ sessionId }) => sessionId).sort())).toEqual([ids.sort()])
})

test('a delivery that failed is not tried again in quiet hours', async () => {
  const it = await startNotify({ quietHours: '13:00-14:00' })
  const noon = it.clock.now()
  const passUntil = (minutes: number) => it.clock.pass(noon + minutes * 60_000 - it.clock.now())
  it.hands.answers = () => ({ kind: 'later', why: 'no answer' })
  await it.finishes((await it.agent('one')).id)
  await passUntil(60)
  const before = it.sent.length
  await passUntil(119)
  expect(it.sent).toHaveLength(before)
  await passUntil(130)
  expect(it.sent.length).toBeGreaterThan(before)
})

test('a clock that is set back keeps nobody from being told', async () => {
  const it = await startNotify()
  await it.finishes((await it.agent('one')).id)
  it.clock.set(-5 * HOUR_MS)
  await it.clock.pass(60_000)
  expect(it.sent).toHaveLength(1)
})

test('a clock that is set back by hours does not put off the next try by hours', async () => {
  const it = await startNotify()
  it.hands.answers = () => (it.sent.length === 1 ? { kind: 'later', why: 'no answer' } : { kind: 'sent' })
  await it.finishes((await it.agent('one')).id)
  await it.untilSent(1)
  it.clock.set(-5 * HOUR_MS)
  await it.clock.pass(2 * 60_000)
  expect(it.sent).toHaveLength(2)
  expect(await it.log()).toMatchObject([{ delivery: { state: 'sent' } }])
})

test('what a session that was removed meanwhile has done is told all the same', async () => {
  const it = await startNotify()
  let isDown = true
  it.hands.answers = () => (isDown ? { kind: 'later', why: 'no answer' } : { kind: 'sent' })
  const [bound, held] = [await it.agent('bound'), await it.agent('held')]
  await it.finishes(bound.id)
  await it.untilSent(1)
  await it.finishes(held.id)
  for (const { id } of [bound, held]) {
    const removed = it.desk.tasks.remove(id, 'ada')
    await it.clock.passUntil('its removal', async () => (await it.core.store.task(id)) === undefined)
    await removed
  }
  const before = it.sent.length
  isDown = false
  await it.clock.pass(HOUR_MS)
  const told = it.sent.slice(before).flatMap(({ notices }) => notices)
  expect(told.map(({ sessionId, title }) => [sessionId, title.split(':')[0]])).toEqual([
    [bound.id, 'bound completed'],
    [held.id, 'held completed'],
  ])
})

test('a project may leave events out for its own tasks', async () => {
  const it = await startNotify({
    kinds: async (project) => (project === null ? ['escalation'] : ['failure']),
  })
  await it.finishes((await it.agent('one')).id)
  await it.clock.pass(60_000)
  expect(it.sent).toEqual([])
})

test('what an agent says is told without secrets, control characters and marks that turn the writing round', async () => {
  const it = await startNotify()
  const { id } = await it.agent('one')
  const hidden = 'sk-abcdefgh\u200Bijklmnopqrst1234'
  const text = `use sk-abcdefghijklmnopqrst1234 or ${hidden} \u202Efdp.exe \x1b[31mred\u0007`
  await it.core.commit({
    event: { at: it.clock.now(), kind: 'escalation', taskId: id, data: { reason: text } },
  })
  await it.untilSent(1)
  const told = JSON.stringify(it.sent)
  expect(told).not.toMatch(/sk-abc|\\u202e|\\u001b|\\u0007|‮/i)
  expect(it.sent[0]?.notices[0]?.title).toContain('use [redacted] or [redacted] fdp.exe [31mred')
})

test('events were deleted before they were told: what is still asked is told, and then all that comes', async () => {
  const it = await startNotify()
  const { agent } = await it.atRest('asks')
  const before = await it.agent('ended-before')
  await it.senderStops()
  agent.asks('May I delete it?', ['yes', 'no'])
  await it.clock.passUntil('its question', async () => (await it.core.store.allOpenQuestions()).length === 1)
  await it.finishes(before.id)
  const all = it.clock.now() + 1
  await it.core.store.prune(
    { eventsBefore: all, eventsBeforeAll: all, auditBefore: 0, runsBefore: 0, messagesBefore: 0 },
    10_000,
  )
  const told = it.sent.length
  await it.senderStarts()
  const after = await it.agent('ended-after')
  await it.finishes(after.id)
  await it.clock.pass(60_000)
  const titles = it.sent.slice(told).flatMap(({ notices }) => notices.map(({ title }) => title))
  expect(titles).toEqual([
    'asks asks: May I delete it?',
    expect.stringMatching(/^Holdfast \(notices\) missed \d+ events/),
    expect.stringMatching(/^ended-after completed/),
  ])
})
