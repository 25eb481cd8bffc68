import { get } from 'node:http'
import { expect, test } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const read = (socketPath: string) =>
  new Promise<{ type: string | undefined; text: string }>((resolve, reject) => {
    get({ socketPath, path: '/metrics' }, (answer) => {
      let text = ''
      answer.on('data', (piece) => (text += piece))
      answer.on('end', () => resolve({ type: answer.headers['content-type'], text }))
    }).on('error', reject)
  })

test('GET /metrics on the socket counts a prompt that was given to its agent', async () => {
  const world = await startWorld()
  const id = await world.run('do: say ready', '--mode', 'interactive')
  await waitFor(`${id} to be idle`, async () => (await world.status(id)).phase === 'idle')
  const { socket } = homePaths(world.home)
  expect((await read(socket)).text).toContain('tmux_trigger_attempt_total 0\n')
  await world.ok(['send', id, 'do: say again'])
  const { type, text } = await read(socket)
  expect(type).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(text).toContain('tmux_trigger_attempt_total 1\n')
})
