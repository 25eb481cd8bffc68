// Notifications by a real daemon: told once whatever is killed, answered by a route that needs no cookie.
import { createHmac } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import type { NoticeLogJson } from '../../src/protocol/json/notify-json.ts'
import { type Got, startReceiver } from '../channels/http-receiver.ts'
import { freePort } from '../helpers/free-port.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const SECRET = 'a secret of the test'
const env = { HOOK_SECRET: SECRET }

const hookConfig = (url: string, more = '') => `
notify:
  group: 100ms
  channels:
    hook: {type: webhook, url: "${url}", secret: {env: HOOK_SECRET}}
${more}`

/** Throws unless it is signed as the docs tell receivers to check it. */
function opened({ headers, body }: Got): { id: string; notices: { kind: string; session_id: string }[] } {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const right = `v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`
  expect(headers['webhook-signature']).toBe(right)
  return JSON.parse(body)
}
const sessionsIn = (got: readonly Got[]) =>
  got.flatMap((one) => opened(one).notices.map(({ session_id }) => session_id))
const logOf = (world: World) => world.json<NoticeLogJson>(['notify', 'log'])
const isSent = (world: World) => async () => {
  const { notices } = await logOf(world)
  return notices.length > 0 && notices.every(({ state }) => state === 'sent')
}
/** The status of an empty POST that names another host than the one it goes to. */
const askAs = (name: string, host: string, path: string) =>
  new Promise<number>((resolve, reject) => {
    const [hostname, port] = host.split(':')
    const call = request({ hostname, port, path, method: 'POST', headers: { host: name } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.on('error', reject).end()
  })

test('a completed task is told to a signed webhook, once, and `notify log` shows it', async () => {
  const receiver = await startReceiver()
  const world = await startWorld({ config: hookConfig(receiver.url), env })
  const id = await world.run('do: say done')
  await waitFor('it to be told', isSent(world))
  expect(opened(receiver.got[0]!).notices).toMatchObject([{ kind: 'completion', session_id: id }])
  expect(receiver.got).toHaveLength(1)
  const text = await world.ok(['notify', 'log'])
  expect(text).toMatch(/hook\s+sent/)
  expect(await world.json(['notify', 'channels'])).toMatchObject({
    channels: [{ name: 'hook', type: 'webhook', waiting: 0, set_aside: 0, problem: null }],
  })
})

test('the receiver is down, the daemon is killed twice with notices queued, and all are told once', async () => {
  let isDown = true
  const receiver = await startReceiver(() => ({ status: isDown ? 503 : 200 }))
  const world = await startWorld({ config: hookConfig(receiver.url), env })
  const one = await world.run('do: say one')
  await waitFor('a first try', () => receiver.got.length > 0)
  await world.killDaemon()
  const two = await world.run('do: say two')
  await world.untilStatus(two, 'completed')
  await world.killDaemon()
  isDown = false
  const before = receiver.got.length
  await world.ok(['list'])
  await waitFor('all to be told', async () => {
    const { notices } = await logOf(world)
    return notices.length === 2 && notices.every(({ state }) => state === 'sent')
  })
  expect(sessionsIn(receiver.got.slice(before)).sort()).toEqual([one, two].sort())
  expect(new Set(receiver.got.map((got) => opened(got).id)).size).toBe(2)
})

test('a daemon that is killed after sending and before storing sends once more, with the same id', async () => {
  let isHeld = true
  const receiver = await startReceiver(async () => {
    while (isHeld) await new Promise((resolve) => setTimeout(resolve, 20))
    return {}
  })
  const world = await startWorld({ config: hookConfig(receiver.url), env })
  await world.run('do: say done')
  await waitFor('the message', () => receiver.got.length === 1)
  await world.killDaemon()
  isHeld = false
  await world.ok(['list'])
  await waitFor('it to be told', isSent(world))
  expect(receiver.got.map((got) => opened(got).id)).toEqual(
    Array.from({ length: 2 }, () => opened(receiver.got[0]!).id),
  )
})

test('a receiver that refuses for ever: set aside, told by doctor, tried again when a person asks', async () => {
  let status = 404
  const receiver = await startReceiver(() => ({ status }))
  const world = await startWorld({ config: hookConfig(receiver.url), env })
  await world.run('do: say done')
  await waitFor('it to be set aside', async () => (await logOf(world)).notices[0]?.state === 'set_aside')
  const doctor = await world.cli(['doctor'])
  expect(doctor.stdout).toContain('hook (webhook): 1 notices were set aside: it answered 404')
  expect(doctor.stdout).toContain('holdfast notify retry hook')
  const tested = await world.cli(['notify', 'test', 'hook'])
  expect([tested.code, tested.stderr]).toEqual([2, expect.stringContaining('CHANNEL_FAILED')])
  status = 200
  expect(await world.ok(['notify', 'test', 'hook'])).toContain('hook took the test message')
  await world.ok(['notify', 'retry', 'hook'])
  await waitFor('it to be told', isSent(world))
  const unknown = await world.cli(['notify', 'test', 'hok'])
  expect(unknown.stderr).toContain("There is no channel 'hok'. The channels: hook.")
  const log = await world.cli(['notify', 'log', '--channel', 'hok'])
  expect([log.code, log.stderr]).toEqual([1, expect.stringContaining("There is no channel 'hok'.")])
})

test('a question comes to a phone with buttons; the route answers without a cookie, and refuses what is forged', async () => {
  const [ntfy, port] = [await startReceiver(), await freePort()]
  const world = await startWorld({
    config: `
server.port: ${port}
notify:
  group: 100ms
  publicUrl: http://127.0.0.1:${port}
  rules: [{events: [question], channels: [phone]}]
  channels:
    phone: {type: ntfy, server: "${ntfy.url}", topic: my-topic}
`,
  })
  const id = await world.run('do: ask Which colour? | red | green\ndo: say painted', '--mode', 'interactive')
  await waitFor('the push', () => ntfy.got.length === 1)
  const { actions, title } = JSON.parse(ntfy.got[0]!.body)
  expect([title, actions.length]).toEqual([expect.stringContaining('Which colour?'), 2])
  const press = (body: string, url = actions[1].url) => fetch(url, { method: 'POST', body })
  const forged = await press(`${actions[1].body.slice(0, -4)}AAAA`)
  expect([forged.status, await forged.json()]).toEqual([
    401,
    expect.objectContaining({ code: 'INBOUND_REFUSED' }),
  ])
  expect((await press('x', `http://127.0.0.1:${port}/inbound/nobody`)).status).toBe(404)
  const pressed = await press(actions[1].body)
  expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('green')])
  expect((await press(actions[0].body)).status).toBe(409)
  await waitFor('the agent to go on', async () => (await world.status(id)).phase === 'idle')
  const audit = await world.ok(['audit', '--json'])
  expect(audit).toContain('"actor": "ntfy:phone:phone"')
  expect(audit).toContain('"kind": "inbound_refused"')
  // A proxy passes on the name by which it was reached. That opens this route, and no other.
  const { host } = new URL(actions[0].url)
  const named = (path: string) => askAs('holdfast.example.org', host, path)
  expect([await named('/inbound/phone'), await named('/api/tasks')]).toEqual([
    401,
    expect.not.toBeOneOf([200]),
  ])
  // The rest of the API stays shut without a cookie or token.
  expect((await fetch(`http://127.0.0.1:${port}/api/tasks`)).status).toBe(401)
})

test('a question is answered in Telegram, without a public address, also after the daemon was killed', async () => {
  let ticket = ''
  let answered = false
  const replies: string[] = []
  const telegram = await startReceiver(async ({ path, body }) => {
    const said = JSON.parse(body)
    if (path.endsWith('/sendMessage') && said.reply_markup === undefined) replies.push(said.text)
    else if (path.endsWith('/sendMessage')) ticket = said.reply_markup.inline_keyboard[1][0].callback_data
    if (path.endsWith('/answerCallbackQuery')) answered = true
    if (!path.endsWith('/getUpdates')) return { body: { ok: true, result: {} } }
    await new Promise((resolve) => setTimeout(resolve, 100))
    const pressed = { id: 'q', from: { id: 7 }, data: ticket, message: { chat: { id: 12345 } } }
    const written = (update_id: number, text: string) => ({
      update_id,
      message: { from: { id: 7 }, chat: { id: 12345 }, text },
    })
    const updates = [
      { update_id: 1, callback_query: pressed },
      written(2, '/tasks'),
      written(3, '/task history last'),
    ]
    const result = isPressed ? updates.filter(({ update_id }) => update_id >= said.offset) : []
    return { body: { ok: true, result } }
  })
  let isPressed = false
  const world = await startWorld({
    env: { TG_TOKEN: '1:abc' },
    config: `
notify:
  group: 100ms
  channels:
    me: {type: telegram, server: "${telegram.url}", token: {env: TG_TOKEN}, chats: [12345]}
`,
  })
  const id = await world.run('do: ask Which colour? | red | green\ndo: say painted', '--mode', 'interactive')
  await waitFor('the message', () => ticket !== '')
  await world.killDaemon()
  isPressed = true
  await world.ok(['list'])
  await waitFor('the answer', () => answered)
  await waitFor('the agent to go on', async () => (await world.status(id)).phase === 'idle')
  expect(await world.ok(['audit', '--task', id, '--json'])).toContain('"actor": "telegram:me:7"')
  await waitFor('the answers to commands', () => replies.length === 2)
  expect(replies[0]).toContain(`${id} · `)
  expect(replies[1]).toMatch(new RegExp(`^${id}\\n[^]*launched: run 1`))
  // Waiting for Telegram keeps no daemon from stopping.
  expect((await world.cli(['down'])).code).toBe(0)
})

test('of two Telegram chats one refuses; the other does not get the message again, also by the next daemon', async () => {
  let isRefused = true
  const told: string[] = []
  const telegram = await startReceiver(async ({ path, body }) => {
    const { chat_id } = JSON.parse(body)
    if (path.endsWith('/sendMessage')) {
      told.push(chat_id)
      if (isRefused && chat_id === '2')
        return { status: 400, body: { ok: false, description: 'chat not found' } }
    } else await new Promise((resolve) => setTimeout(resolve, 100))
    return { body: { ok: true, result: [] } }
  })
  const world = await startWorld({
    env: { TG_TOKEN: '1:abc' },
    config: `
notify:
  group: 100ms
  channels:
    us: {type: telegram, server: "${telegram.url}", token: {env: TG_TOKEN}, chats: [1, 2]}
`,
  })
  await world.run('do: say done')
  await waitFor('it to be set aside', async () => (await logOf(world)).notices[0]?.state === 'set_aside')
  expect(told).toEqual(['1', '2'])
  await world.killDaemon()
  isRefused = false
  await world.ok(['notify', 'retry', 'us'])
  await waitFor('it to be told', isSent(world))
  expect(told).toEqual(['1', '2', '2'])
})

test('Slack is answered on its route: a session is ended by a command of an allowed user, and by no other', async () => {
  const [slack, port] = [await startReceiver(), await freePort()]
  const world = await startWorld({
    env: { SLACK_URL: `${slack.url}/hook`, SIGNING: 'signing-secret' },
    config: `
server.port: ${port}
notify:
  group: 100ms
  channels:
    team: {type: slack, url: {env: SLACK_URL}, signingSecret: {env: SIGNING}, users: [U1]}
`,
  })
  const id = await world.run('do: wait-for never')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  const say = async (user: string, text: string, secret = 'signing-secret') => {
    const body = new URLSearchParams({
      command: '/task',
      text,
      user_id: user,
      trigger_id: `${user}${text}`,
    }).toString()
    const seconds = String(Math.floor(Date.now() / 1000))
    const hash = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': seconds,
      'x-slack-signature': `v0=${hash}`,
    }
    const answer = await fetch(`http://127.0.0.1:${port}/inbound/team`, { method: 'POST', body, headers })
    return { status: answer.status, ...((await answer.json()) as { text?: string; code?: string }) }
  }
  expect(await say('U1', `cancel ${id}`, 'wrong')).toMatchObject({ status: 401, code: 'INBOUND_REFUSED' })
  expect((await say('U2', `cancel ${id}`)).text).toContain("'U2' is not in notify.channels.team.users")
  expect((await say('U1', `status ${id}`)).text).toContain(`${id} · running, working`)
  expect((await say('U1', `cancel ${id}`)).text).toBe(`${id} is ended.`)
  expect(await world.untilStatus(id, 'cancelled')).toMatchObject({ reason: 'Killed by slack:team:U1' })
})

test('Slack answers questions: by a button of the message, and by /answer; each in the name of who did', async () => {
  const [slack, port] = [await startReceiver(), await freePort()]
  const world = await startWorld({
    env: { SLACK_URL: `${slack.url}/hook`, SIGNING: 'signing-secret' },
    config: `
server.port: ${port}
notify:
  group: 100ms
  channels:
    team: {type: slack, url: {env: SLACK_URL}, signingSecret: {env: SIGNING}, users: [U1]}
`,
  })
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams(fields).toString()
    const seconds = String(Math.floor(Date.now() / 1000))
    const hash = createHmac('sha256', 'signing-secret').update(`v0:${seconds}:${body}`).digest('hex')
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': seconds,
      'x-slack-signature': `v0=${hash}`,
    }
    return await fetch(`http://127.0.0.1:${port}/inbound/team`, { method: 'POST', body, headers })
  }
  const id = await world.run(
    'do: ask Which colour? | red | green\ndo: ask Which size? | small | large\ndo: finish painted',
    '--converse',
  )
  type Block = { type: string; elements?: { value?: string; text: { text: string } }[] }
  const button = (label: string) =>
    waitFor(`a button for ${label}`, () =>
      slack.got
        .flatMap(({ body }) => JSON.parse(body).blocks as Block[])
        .flatMap(({ elements = [] }) => elements)
        .find(({ text, value }) => value !== undefined && text.text === label),
    )
  const payload = {
    type: 'block_actions',
    user: { id: 'U1' },
    actions: [{ value: (await button('green')).value }],
  }
  expect((await post({ payload: JSON.stringify(payload) })).status).toBe(200)
  await button('large')
  const answered = await post({ command: '/answer', text: `${id} 2`, user_id: 'U1', trigger_id: 't1' })
  expect(await answered.json()).toMatchObject({ text: expect.stringContaining('large') })
  await world.ok(['finish', id])
  await world.untilStatus(id, 'COMPLETED')
  const audit = await world.ok(['audit', '--task', id, '--json'])
  expect(audit.match(/"actor": "slack:team:U1"/g)?.length).toBeGreaterThanOrEqual(2)
})

test('a message over SMTP, a command and a bell tell of the same end', async () => {
  const mails: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (part) => (text += part))
      stream.on('end', () => {
        mails.push(text)
        done()
      })
    },
  })
  const port = await freePort()
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', () => resolve()))
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())))
  const world = await startWorld({
    config: `
quiet.window: 0s
notify:
  group: 3s
  channels:
    mail: {type: email, server: "smtp://127.0.0.1:${port}", from: h@example.org, to: [ada@example.org]}
    script: {type: command, argv: [sh, -c, 'cat > "$HOME/told.json"']}
    ring: {type: bell}
`,
  })
  const id = await world.run('do: ask Which colour? | red | green', '--mode', 'interactive')
  const person = personAt(world)
  person.runs('attach', id)
  await waitFor('a mail', () => mails.length > 0)
  expect(mails[0]).toContain('Which colour?')
  await waitFor('all to be told', isSent(world))
  expect((await logOf(world)).notices.map(({ channel }) => channel).sort()).toEqual([
    'mail',
    'ring',
    'script',
  ])
  expect(JSON.parse(readFileSync(join(world.user, 'told.json'), 'utf8'))).toMatchObject({
    notices: [{ kind: 'question', session_id: id, question: { number: 1, options: ['red', 'green'] } }],
  })
  await waitFor('the bell', () => person.wasRung())
})

test('a secret that is missing, or that others can read, is told, and the notice waits until it can be used', async () => {
  const receiver = await startReceiver()
  const world = await startWorld()
  const file = join(world.user, 'secret')
  const config = hookConfig(receiver.url).replace('{env: HOOK_SECRET}', '{file: ~/secret}')
  writeFileSync(join(world.user, '.config/holdfast/config.yaml'), `agent: scripted\n${config}`)
  await world.run('do: say done')
  const isRefused = (why: string) => async () => (await logOf(world)).notices[0]?.why?.includes(why) === true
  await waitFor('a try without it', isRefused('cannot be read (ENOENT)'))
  expect((await world.cli(['doctor'])).stdout).toContain('cannot be read (ENOENT)')
  writeFileSync(file, `${SECRET}\n`)
  chmodSync(file, 0o644)
  await waitFor('a try with one that others can read', isRefused('chmod 600'), 30_000)
  expect((await world.cli(['doctor'])).stdout).toContain('others can read')
  expect(receiver.got).toEqual([])
  chmodSync(file, 0o600)
  await waitFor('it to be told', isSent(world), 30_000)
  expect(receiver.got.map(opened)).toHaveLength(1)
})
