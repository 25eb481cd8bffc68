// Lark and a real daemon: cards go out, and signed requests come in at its port.
import { expect, test } from 'vitest'
import { encrypted, message, signed } from '../channels/lark-requests.ts'
import { withLark } from '../helpers/lark-app.ts'
import { waitFor } from '../helpers/wait-for.ts'

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
  expect(await said(cancel)).toMatch(new RegExp(`${id} is (being )?ended`))
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
  const { world, press, command, said, tickets } = await withLark()
  const script = 'do: ask First? | red | green\ndo: ask Second? | up | down\ndo: ask Third? | in | out'
  const id = await world.run(script, '--mode', 'interactive', '--name', 'painter')
  const asks = (text: string) =>
    waitFor(text, async () => (await world.status(id)).questions.some(({ question }) => question === text))
  await asks('First?')
  const [, green = ''] = await waitFor('the card', tickets)
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
