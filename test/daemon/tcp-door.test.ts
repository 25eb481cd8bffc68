import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { TcpDoor } from '../../src/daemon/tcp-door.ts'
import { freePort } from '../helpers/free-port.ts'
import { tempDir } from '../helpers/temp-dir.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

test('a body that does not come in time is cut off, and others are served meanwhile', async () => {
  const port = await freePort()
  const door = new TcpDoor({
    file: join(tempDir(), 'door.json'),
    log,
    settings: { port, host: '127.0.0.1', allowRemote: false },
    limits: {
      headersTimeout: 200,
      requestTimeout: 400,
      keepAliveTimeout: 1000,
      connectionsCheckingInterval: 50,
    },
  })
  onTestFinished(() => door.stop())
  const app = new Hono()
  app.all('*', async (c) => c.text(await c.req.text().catch(() => 'cut off')))
  await door.start(app)
  const slow = connect(port, '127.0.0.1')
  let told = ''
  slow.on('data', (text) => {
    told += text
  })
  slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n')
  const drops = setInterval(() => slow.write('x'), 50)
  slow.on('error', () => {})
  const closed = once(slow, 'close')
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'whole' })
  expect(await answer.text()).toBe('whole')
  await closed
  clearInterval(drops)
  expect(told).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
})
