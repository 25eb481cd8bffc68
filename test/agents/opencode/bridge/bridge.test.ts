// The bridge in front of a server that replays what the real one told.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Api } from '../../../../src/agents/opencode/bridge/api.ts'
import { Bridge } from '../../../../src/agents/opencode/bridge/bridge.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

const SESSION = 'ses_e1e6e04e0ffeX4Y6h7gapBBbXY'
const PROMPT = 'DO:text{hello there} one'
const recorded = readFileSync(
  new URL('../../../fixtures/server/opencode/text.jsonl', import.meta.url),
  'utf8',
).trim()

/** It tells the beginning of a turn when it is prompted, the rest when the test says so. */
async function replayingServer() {
  const asked: string[] = []
  let stream: ServerResponse | undefined
  const lines = recorded.split('\n')
  const half = lines.length / 2
  const tell = (some: readonly string[]) =>
    void stream?.write(some.map((line) => `data: ${line}\n\n`).join(''))
  const server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!
    asked.push(path)
    if (path === '/event') {
      stream = response
      return response.writeHead(200).flushHeaders()
    }
    response.end(JSON.stringify({ id: SESSION }))
    if (path.endsWith('/prompt_async')) tell(lines.slice(0, half))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    tellTheRest: () => tell(lines.slice(half)),
    hangUp: () => stream?.end(),
  }
}

test('a turn that is aborted is over when its end was told, not when the server said yes', async () => {
  const { url, asked, tellTheRest, hangUp } = await replayingServer()
  const told: unknown[] = []
  const api = new Api(url, { username: 'a', password: 'b' }, '/')
  const bridge = new Bridge(api, { auto: false }, ({ type }: { type?: unknown }) => void told.push(type))
  await bridge.open()
  bridge.hear(JSON.stringify({ type: 'prompt', ref: 'hf-1', text: PROMPT }))
  await waitFor('the prompt to be heard', () => told.includes('holdfast.heard'))
  const aborted = bridge.abort().then(() => told.includes('holdfast.finished'))
  await waitFor('the abort', () => asked.includes(`/session/${SESSION}/abort`))
  // Its answer has come before this one.
  await api.get('/session')
  expect(told).not.toContain('holdfast.finished')
  tellTheRest()
  expect(await aborted).toBe(true)
  hangUp()
  await bridge.follow()
})
