// The journal as others hear it: GET /api/events.
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { HealthJson } from '../../src/protocol/json/daemon-json.ts'
import type { JournalJson } from '../../src/protocol/json/journal-json.ts'
import { anImpossibleEvent, eventsWhileDown, nodeOf, pruneWhileDown } from '../helpers/events-while-down.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

type Told = { id: string; kind: string; data: { seq: number; task: string | null; status?: string } }

async function open(
  world: World,
  query = '',
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const options = { socketPath: join(world.home, 'daemon.sock'), path: `/api/events${query}`, headers }
  return new Promise((resolve, reject) => {
    const asked = request(options, resolve)
    asked.on('error', reject)
    onTestFinished(() => void asked.destroy())
    asked.end()
  })
}

/** All that was told so far. */
async function listen(world: World, query = '', headers: Record<string, string> = {}) {
  const response = await open(world, query, headers)
  expect(response.statusCode).toBe(200)
  return toldBy(response)
}

function toldBy(response: IncomingMessage): Told[] {
  const told: Told[] = []
  let rest = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()!
    told.push(...blocks.flatMap(toldIn))
  })
  response.on('error', () => {})
  return told
}

function toldIn(block: string): Told[] {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  return data === undefined ? [] : [{ id: field('id')!, kind: field('event')!, data: JSON.parse(data) }]
}

const isOver = (id: string) => (told: readonly Told[]) =>
  told.some(({ kind, data }) => kind === 'task_completed' && data.task === id)

test('whoever listens hears of all tasks as it happens, without a gap', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const told = await listen(world)
  const ids = [await world.run('do: say one'), await world.run('do: say two')]
  await waitFor('both ends', () => ids.every((id) => isOver(id)(told)))
  const seqs = told.map(({ data }) => data.seq)
  expect(seqs).toEqual(seqs.map((_, index) => seqs[0]! + index))
  for (const id of ids) {
    const kinds = told.filter(({ data }) => data.task === id).map(({ kind }) => kind)
    // A quick agent is over before it was seen at work.
    expect(kinds.filter((kind) => kind !== 'task_agent_started')).toEqual([
      'task_created',
      'task_launched',
      'task_completed',
    ])
  }
})

test('a listener that was cut off goes on after the last event it saw, also under the next daemon', async () => {
  const world = await startWorld()
  const first = await world.run('do: say one')
  await world.untilStatus(first, 'COMPLETED')
  const all = await listen(world, '?from=start')
  await waitFor('the first end', () => isOver(first)(all))
  const seen = all[2]!
  await world.killDaemon()
  const second = await world.run('do: say two')
  const rest = await listen(world, '', { 'last-event-id': seen.id })
  await waitFor('the second end', () => isOver(second)(rest))
  expect(rest.map(({ data }) => data.seq)).toEqual(rest.map((_, index) => seen.data.seq + 1 + index))
  const asParameter = await listen(world, `?after=${seen.id}`)
  await waitFor('the same', () => isOver(second)(asParameter))
  expect(asParameter.slice(0, 3)).toEqual(rest.slice(0, 3))
})

test('a listener whose next events are not kept any more is refused with a way out, and goes on from what is now', async () => {
  const world = await startWorld()
  const first = await world.run('do: say one')
  await world.untilStatus(first, 'COMPLETED')
  const all = await listen(world, '?from=start')
  await waitFor('the first end', () => isOver(first)(all))
  await world.killDaemon()
  pruneWhileDown(world)
  await world.ok(['up'])
  for (const [query, headers] of [
    ['', { 'last-event-id': all[0]!.id }],
    [`?after=${all[0]!.id}`, {}],
  ] as const) {
    const refused = await open(world, query, headers)
    expect(refused.statusCode).toBe(410)
    const told = JSON.parse(await text(refused))
    expect(told).toEqual({
      code: 'JOURNAL_TRUNCATED',
      message: expect.stringContaining('has to be read anew'),
      hint: expect.stringMatching(/./),
      ways_out: expect.anything(),
    })
  }
  const anew = await listen(world)
  const second = await world.run('do: say two')
  await waitFor('the second end', () => isOver(second)(anew))
})

test('a listener that asks for one task or some kinds hears of nothing else', async () => {
  const world = await startWorld()
  const [one, two] = [await world.run('do: say one'), await world.run('do: say two')]
  for (const id of [one, two]) await world.untilStatus(id, 'COMPLETED')
  const ofTwo = await listen(world, `?from=start&task=${two}`)
  const ends = await listen(world, '?from=start&kind=task_completed,task_failed')
  await waitFor('its end', () => isOver(two)(ofTwo) && isOver(one)(ends) && isOver(two)(ends))
  expect(new Set(ofTwo.map(({ data }) => data.task))).toEqual(new Set([two]))
  expect(ends.map(({ kind }) => kind)).toEqual(['task_completed', 'task_completed'])
})

/** More than a connection holds on its way: whoever sends it to somebody that does not read has to wait. */
const BIG_EVENTS = 2000
const BIG_BYTES = 4096

const isBig = ({ kind, data }: Told) => kind === 'escalation' && data.task === null

test('listeners that stop reading in the midst of megabytes hold up neither tasks nor others, and miss nothing', async () => {
  const world = await startWorld()
  const data = { reason: 'x'.repeat(BIG_BYTES) }
  await eventsWhileDown(
    world,
    Array.from({ length: BIG_EVENTS }, (_, at) => ({ at, kind: 'escalation', taskId: null, data })),
  )
  const asleep = await Promise.all(Array.from({ length: 20 }, () => open(world, '?from=start')))
  for (const response of asleep) response.pause()
  const told = await listen(world, '?from=start')
  const id = await world.run('do: say one')
  await waitFor('its end', () => isOver(id)(told))
  expect(told.filter(isBig)).toHaveLength(BIG_EVENTS)
  expect(await world.ok(['list'])).toContain(id)
  // They could not have been sent everything: the daemon waits for them, and for them alone.
  for (const { socket } of asleep) expect(socket.bytesRead).toBeLessThan((BIG_EVENTS * BIG_BYTES) / 2)
  const woken = toldBy(asleep[0]!)
  asleep[0]!.resume()
  await waitFor('it to have caught up', () => isOver(id)(woken))
  expect(woken.map(({ id: place }) => place)).toEqual(
    told.map(({ id: place }) => place).slice(0, woken.length),
  )
})

test.each([
  ['?kind=task_complete', "There is no event 'task_complete'. Did you mean 'task_completed'?"],
  ['?from=yesterday', "'from' must be start or now"],
  ['?after=0.5', 'not a place in the journal'],
  ['?task=nobody', 'Session not found: nobody'],
])('%s is refused before anything is sent', async (query, why) => {
  const world = await startWorld()
  await world.ok(['up'])
  const response = await open(world, query)
  let text = ''
  for await (const chunk of response) text += chunk
  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(JSON.parse(text).message).toContain(why)
})

test('an event that cannot be handled is told to people, who look at it, try it again and drop it', async () => {
  const world = await startWorld()
  await eventsWhileDown(world, [anImpossibleEvent()])
  const told = await listen(world, '?from=start&kind=event_set_aside')
  await waitFor('people to be told', () => told.length === 1)
  const node = nodeOf(world)
  const { seq } = (told[0]!.data as unknown as { event: { seq: number } }).event
  expect(told[0]!.data).toMatchObject({
    task: null,
    cause: { node, seq },
    depth: 1,
    subscriber: 'unread',
    event: { node, seq, kind: 'cursor_moved', task: null },
    why: expect.stringContaining('null'),
  })
  expect((await world.json<HealthJson>(['up'])).journal).toEqual({ set_aside: 1, held_by: [], missed: [] })
  expect(await world.ok(['audit', '--kind', 'event_set_aside'])).toContain(
    `unread: event ${seq} (cursor_moved)`,
  )
  expect(await world.ok(['metrics'])).toContain('holdfast_events_set_aside{subscriber="unread"} 1')
  expect((await world.cli(['doctor'])).stdout).toMatch(/warn +journal +1 event was set aside/)

  const id = `unread:${node}:${seq}`
  expect(await world.ok(['journal', 'show'])).toMatch(new RegExp(`${id} +cursor_moved`))
  const again = await world.cli(['journal', 'retry', '--json'])
  expect(again.code).toBe(2)
  expect((JSON.parse(again.stdout) as JournalJson).set_aside).toMatchObject([{ id, subscriber: 'unread' }])
  expect((await world.cli(['journal', 'drop', 'nobody:another:1'])).stderr).toContain("as 'nobody'")
  expect((await world.cli(['journal', 'drop', 'unread:another:1'])).stderr).toContain('of another daemon')
  expect((await world.json<JournalJson>(['journal', 'drop', id])).set_aside).toEqual([])
  expect(await world.ok(['audit', '--kind', 'event_dropped'])).toContain(
    `unread: event ${seq} (cursor_moved)`,
  )
  expect((await world.cli(['doctor'])).stdout).toMatch(/ok +journal +every event is handled/)
})
