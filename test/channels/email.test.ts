import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { aNotice, HOSTILE, openChannel, receiptsOf, told } from './channel-world.ts'

/** A real server that keeps what it was given. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const mails: { from: string; to: string[]; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      let text = ''
      stream.on('data', (part) => (text += part))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(close)
  const { port } = server.server.address() as AddressInfo
  return { mails, url: `smtp://127.0.0.1:${port}`, close }
}

const open = (server: string, more: object = {}) =>
  openChannel(
    {
      type: 'email',
      server,
      from: 'holdfast@example.org',
      to: ['ada@example.org', 'bob@example.org'],
      ...more,
    },
    { PASS: 'secret' },
  )
/** The lines before the first empty one. */
const headersOf = (text: string) => text.split('\r\n\r\n')[0] ?? ''

test('people get one plain mail, and each try has the same message id', async () => {
  const smtp = await startSmtp()
  const channel = open(smtp.url)
  expect(await channel.send(told(aNotice(), aNotice({ title: 'two completed' })))).toEqual({ kind: 'sent' })
  expect(await channel.send(told(aNotice()))).toEqual({ kind: 'sent' })
  expect(smtp.mails).toMatchObject([
    { from: 'holdfast@example.org', to: ['ada@example.org', 'bob@example.org'] },
    {},
  ])
  const [first = '', second = ''] = smtp.mails.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1])
  expect(first).toMatch(/^<[0-9a-f]{32}@example\.org>/)
  expect(second).toBe(first)
  expect(headersOf(smtp.mails[0]?.text ?? '')).toMatch(/^x-holdfast-id: delivery-1$/im)
  expect(headersOf(smtp.mails[0]?.text ?? '')).toMatch(/^content-type: text\/plain/im)
  expect(smtp.mails[0]?.text).toContain('2. two completed')
})

test('no line that an agent wrote becomes a header, and nothing of it is HTML', async () => {
  const smtp = await startSmtp()
  const title = `done\r\nBcc: eve@example.org\r\n\r\n${HOSTILE}`
  expect(await open(smtp.url).send({ ...told(aNotice({ title, text: HOSTILE })), title })).toEqual({
    kind: 'sent',
  })
  const [{ text, to }] = smtp.mails as [(typeof smtp.mails)[number]]
  expect(to).toEqual(['ada@example.org', 'bob@example.org'])
  expect(headersOf(text)).not.toMatch(/^bcc:/im)
  expect(headersOf(text)).toMatch(/^subject: =\?UTF-8\?Q\?=5BHoldfast=5D_done_Bcc/im)
  expect(text).not.toMatch(/text\/html/i)
})

test('a mailbox that does not exist is for ever, a busy server and one that is gone for later', async () => {
  const refusing = (code: number) =>
    startSmtp({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: code })),
    })
  expect(await open((await refusing(550)).url).send(told(aNotice()))).toMatchObject({ kind: 'never' })
  expect(await open((await refusing(450)).url).send(told(aNotice()))).toMatchObject({ kind: 'later' })
  const gone = await startSmtp()
  await gone.close()
  expect(await open(gone.url).send(told(aNotice()))).toMatchObject({ kind: 'later' })
})

test.each([
  [550, 'never'],
  [450, 'later'],
] as const)(
  'a mailbox that is refused with %i keeps nobody else from the mail, and nobody gets it twice',
  async (code, kind) => {
    let isRefused = true
    const smtp = await startSmtp({
      onRcptTo: ({ address }, _session, done) =>
        isRefused && address === 'bob@example.org'
          ? done(Object.assign(new Error('no'), { responseCode: code }))
          : done(),
    })
    const receipts = receiptsOf()
    const channel = open(smtp.url)
    expect(await channel.send(told(aNotice()), receipts)).toMatchObject({ kind })
    expect([...receipts.taken]).toEqual(['ada@example.org'])
    isRefused = false
    expect(await channel.send(told(aNotice()), receipts)).toEqual({ kind: 'sent' })
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@example.org'], ['bob@example.org']])
    expect(smtp.mails[1]?.text).toMatch(/^To: ada@example\.org, bob@example\.org$/im)
  },
)

test('a password is never sent in the clear', async () => {
  let logins = 0
  const smtp = await startSmtp({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => {
      logins++
      done(null, { user: 'ada' })
    },
  })
  const channel = open(smtp.url, { user: 'ada', password: { env: 'PASS' } })
  expect(await channel.send(told(aNotice()))).not.toMatchObject({ kind: 'sent' })
  expect([logins, smtp.mails]).toEqual([0, []])
})

/** A server with a certificate of its own, and who has logged in there. */
async function startWithLogin(options: SMTPServerOptions) {
  const logins: string[] = []
  const smtp = await startSmtp({
    authOptional: false,
    disabledCommands: [],
    onAuth: ({ username, password }, { secure }, done) => {
      logins.push(`${username}:${password}:${secure}`)
      done(null, { user: username ?? '' })
    },
    ...options,
  })
  return { ...smtp, logins }
}

function trustEveryCertificate() {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
}

test.each([
  ['smtps', { secure: true }],
  ['smtp', { secure: false }],
] as const)(
  'with a login a mail goes over %s://, encrypted, and not where the certificate is not trusted',
  async (scheme, options) => {
    const smtp = await startWithLogin(options)
    const channel = open(smtp.url.replace('smtp:', `${scheme}:`), { user: 'ada', password: { env: 'PASS' } })
    expect(await channel.send(told(aNotice()))).toMatchObject({ kind: 'later' })
    expect(smtp.logins).toEqual([])
    trustEveryCertificate()
    expect(await channel.send(told(aNotice()))).toEqual({ kind: 'sent' })
    expect(smtp.logins).toEqual(['ada:secret:true'])
    expect(smtp.mails).toHaveLength(1)
  },
)
