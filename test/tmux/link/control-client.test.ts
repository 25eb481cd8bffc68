import { expect, test } from 'vitest'
import { ControlClient, NoReply, TmuxRefused } from '../../../src/tmux/link/control-client.ts'
import { ensureServer, KEEPER } from '../../../src/tmux/program/ensure-server.ts'
import { isAlive } from '../../helpers/is-alive.ts'
import { privateTmux, skippableClock } from '../../helpers/tmux-server.ts'
import { waitFor } from '../../helpers/wait-for.ts'

async function connect() {
  const server = privateTmux()
  const address = { tmuxPath: 'tmux', socket: server.socket, env: process.env }
  await ensureServer(address, true)
  const lost: string[] = []
  const client = new ControlClient(address, KEEPER, {
    onAnswer: () => {},
    onLost: (words) => void lost.push(words),
  })
  await client.request()
  return { ...server, pid: server.serverPid()!, client, lost }
}

const say = (text: string) => ['display-message', '-p', text]
const close = (client: ControlClient) => client.close(skippableClock(), 5_000)

test('many requests at once each get their own reply', async () => {
  const { client } = await connect()
  const asked = Array.from({ length: 300 }, (_, i) => String(i))
  const replies = await Promise.all(asked.map((text) => client.request(say(text), say(`${text}!`))))
  expect(replies).toEqual(asked.map((text) => [text, `${text}!`]))
  await close(client)
})

test('a refusal carries the words of tmux and what was printed before it, and the next reply is not confused', async () => {
  const { client } = await connect()
  const refused = client.request(say('before'), ['kill-session', '-t', '=nobody'], say('never'))
  const next = client.request(say('next'))
  const error = await refused.catch((error) => error)
  expect(error).toBeInstanceOf(TmuxRefused)
  expect(error).toMatchObject({ message: "can't find session: nobody", before: ['before'] })
  expect(await next).toEqual(['next'])
  await close(client)
})

test('a request in flight when the server dies may have been carried out; a later one was never written', async () => {
  const { client, pid, lost } = await connect()
  process.kill(pid, 'SIGSTOP')
  const inFlight = client.request(say('x')).catch((error) => error)
  process.kill(pid, 'SIGKILL')
  const error = await inFlight
  expect(error).toBeInstanceOf(NoReply)
  expect(error).toMatchObject({ written: true })
  expect(lost).toHaveLength(1)
  await expect(client.request(say('y'))).rejects.toMatchObject({ written: false })
})

test('closing ends the client process and leaves the server alone', async () => {
  const { client, pid, lost } = await connect()
  await close(client)
  expect(isAlive(client.pid!)).toBe(false)
  expect(isAlive(pid)).toBe(true)
  expect(lost).toHaveLength(1)
})

test('closing comes to an end although the server is stopped', async () => {
  const { client, pid } = await connect()
  process.kill(pid, 'SIGSTOP')
  await client.close(skippableClock(), 200)
  await waitFor('the client to end', () => !isAlive(client.pid!))
  expect(isAlive(pid)).toBe(true)
})
