// Lark and a real daemon: cards go out, and signed requests come in at its port.
import { expect, test } from 'vitest'
import { startReceiver } from '../channels/http-receiver.ts'
import { button, encrypted, KEY, message, signed, TOKEN } from '../channels/lark-requests.ts'
import { freePort } from '../helpers/free-port.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

type Card = { elements: { actions?: { value: { ticket: string } }[] }[] }

/** A daemon with a Lark app, of which `ou_1` may answer. */
async function withLark() {
  const lark = await startReceiver(({ path }) => ({
    body: path.includes('tenant_access_token') ? { code: 0, tenant_access_token: 't-1' } : { code: 0 },
  }))
  const port = await freePort()
  const world = await startWorld({
    env: { APP: 'app-secret', TOKEN, KEY },
    config: `
server.port: ${port}
notify:
  group: 100ms
  channels:
    ops:
      type: lark
      server: "${lark.url}"
      appId: cli_1
      appSecret: {env: APP}
      chat: oc_1
      verificationToken: {env: TOKEN}
      encryptKey: {env: KEY}
      users: [ou_1]
`,
  })
  const contents = (path: string) =>
    lark.got.filter((got) => got.path.includes(path)).map(({ body }) => String(JSON.parse(body).content))
  const post = async (request: ReturnType<typeof signed>) => {
    const answer = await fetch(`http://127.0.0.1:${port}/inbound/ops`, { method: 'POST', ...request })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  let events = 0
  return {
    world,
    post,
    command: (text: string, user = 'ou_1') => signed(encrypted(message(text, user, `e-${++events}`))),
    /** What the bot answers to this request: a card, as text. */
    said: async (request: ReturnType<typeof signed>) => {
      const before = contents('/reply').length
      expect(await post(request)).toEqual({ status: 200, body: {} })
      return contents('/reply').slice(before).join('')
    },
    /** The tickets of the buttons of the newest card with buttons. */
    tickets: () =>
      contents('receive_id_type')
        .map((text) => (JSON.parse(text) as Card).elements.flatMap(({ actions }) => actions ?? []))
        .filter((actions) => actions.length > 0)
        .at(-1)
        ?.map(({ value }) => value.ticket),
  }
}

test('commands in Lark list, show and end sessions in the name of an allowed user, and of no other', async () => {
  const { world, said, command } = await withLark()
  const id = await world.run('do: wait-for never', '--name', 'worker')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  expect(await said(command('/tasks'))).toContain(`${id} · running, working`)
  expect(await said(command('@_user_1 /task status worker'))).toContain(`${id} · running, working`)
  expect(await said(command(`/task cancel ${id}`, 'ou_2'))).toContain(
    "'ou_2' is not in notify.channels.ops.users",
  )
  expect((await world.status(id)).status).toBe('RUNNING')
  const cancel = command('/task cancel worker')
  expect(await said(cancel)).toContain(`${id} is ended.`)
  expect(await world.untilStatus(id, 'cancelled')).toMatchObject({ reason: 'Killed by lark:ops:ou_1' })
  // Lark brings again what was not confirmed in time: a session that was brought back meanwhile is not ended by that.
  await world.ok(['retry', id])
  await waitFor('it to work again', async () => (await world.status(id)).phase === 'working')
  await said(cancel)
  expect((await world.status(id)).status).toBe('RUNNING')
})

test('what is not signed with the key of the app, or was signed long ago, is refused, audited and does nothing', async () => {
  const { world, post } = await withLark()
  const id = await world.run('do: wait-for never')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  const body = encrypted(message(`/task cancel ${id}`))
  const unsigned = { ...signed(body), headers: {} as ReturnType<typeof signed>['headers'] }
  const bad = [signed(body, Date.now(), 'another key'), signed(body, Date.now() - 6 * 60_000), unsigned]
  for (const request of bad)
    expect(await post(request)).toMatchObject({ status: 401, body: { code: 'INBOUND_REFUSED' } })
  expect((await world.status(id)).status).toBe('RUNNING')
  // Refusals that follow one another are one entry.
  const audit = await world.ok(['audit', '--kind', 'inbound_refused', '--json'])
  expect(audit).toContain('its signature is wrong')
})

test('a button of a card answers its question once, an /answer that comes again does not answer the next one', async () => {
  const { world, post, command, said, tickets } = await withLark()
  const script = 'do: ask First? | red | green\ndo: ask Second? | up | down\ndo: ask Third? | in | out'
  const id = await world.run(script, '--mode', 'interactive', '--name', 'painter')
  const asks = (text: string) =>
    waitFor(text, async () => (await world.status(id)).questions.some(({ question }) => question === text))
  await asks('First?')
  const [, green = ''] = await waitFor('the card', tickets)
  const press = (ticket: string, user = 'ou_1') => post(signed(encrypted(button(ticket, user))))
  expect((await press(green, 'ou_2')).body).toMatchObject({ toast: { type: 'error' } })
  expect(await press(`${green.slice(0, -4)}AAAA`)).toMatchObject({ status: 401 })
  expect((await press(green)).body).toEqual({
    toast: { type: 'success', content: 'Answered painter: green' },
  })
  await asks('Second?')
  expect((await press(green)).body).toMatchObject({ toast: { type: 'error' } })
  const answer = command('/answer painter 2')
  expect(await said(answer)).toContain('Answered painter: down')
  await asks('Third?')
  expect(await said(answer)).toContain('Answered painter: down')
  expect((await world.status(id)).questions).toMatchObject([{ question: 'Third?' }])
  expect(await said(command('/answer painter 2'))).toContain('Answered painter: out')
  const audit = await world.ok(['audit', '--task', id, '--kind', 'question_answered', '--json'])
  expect(audit.match(/"lark:ops:ou_1"/g)).toHaveLength(3)
})
