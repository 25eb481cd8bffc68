import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

test('50 prompts that wait when tmux is killed are all heard, each once', async () => {
  const world = await startWorld({ config: 'quiet.window: 0s\nruntime.grace: 200ms\n' })
  await world.ok(['runtime', 'start', 'reviewer', '--agent', 'scripted', '--seed', 'do: wait-for go'])
  const sent = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      world.daemon.call('POST /api/tasks/:id/inputs', {
        id: 'reviewer@project',
        body: { prompt: `prompt number ${n}.` },
      }),
    ),
  )
  const ids = sent.map(({ trigger_id }) => String(trigger_id))
  process.kill(await world.tmuxPid(), 'SIGKILL')
  writeFileSync(join(world.project, 'go'), '')
  await waitFor(
    'all to be done',
    async () => {
      const { triggers } = await world.daemon.call('GET /api/triggers', { query: { state: 'done' } })
      return triggers.length === ids.length || undefined
    },
    240_000,
  )
  const heard = world.heard().map(({ heard }) => heard)
  for (const id of ids) expect(heard.filter((text) => text.includes(`id=${id}`))).toHaveLength(1)
}, 300_000)
