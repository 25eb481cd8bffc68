import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentPid, nothingIsLeft, recovering, textIn } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'

const SESSION = '11111111-2222-3333-4444-555555555555'
/** Puts its next version in its own place, as programs update themselves, and works on. */
const OLD = `#!/bin/sh
echo "old $*" >>told.txt
echo "session ${SESSION}"
printf '%s' "$NEXT_VERSION" >"$0.new"
chmod 755 "$0.new"
mv "$0.new" "$0"
echo updated >>told.txt
sleep 600
`
const NEW = '#!/bin/sh\necho "new $*" >>told.txt\necho "All done: by the new one"\n'

test('an agent that updates itself works on as it was; its next run is the new one, in the same session', async () => {
  const program = join(tempDir('hfbin'), 'updating')
  writeFileSync(program, OLD, { mode: 0o755 })
  const agent = {
    argv: [program, 'begin'],
    resume: [program, 'resume', '{session_id}'],
    env: ['NEXT_VERSION'],
    patterns: { session: 'session ([0-9a-f-]{36})', done: '^All done: (.*)' },
  }
  const config = `agents: ${JSON.stringify({ updating: agent })}\n`
  const world = await recovering(config, { env: { NEXT_VERSION: NEW } })
  const id = await world.run('work', '--agent', 'updating')
  await waitFor('the update', () => textIn(world, 'told.txt') === 'old begin\nupdated\n')
  const pid = await agentPid(world, id)
  await world.killDaemon()
  await waitFor('its session', async () => (await world.status(id)).agent_session_id === SESSION)
  expect(isAlive(pid)).toBe(true)
  process.kill(pid, 'SIGKILL')
  await world.untilStatus(id, 'COMPLETED')
  expect(textIn(world, 'told.txt')).toBe(`old begin\nupdated\nnew resume ${SESSION}\n`)
  await nothingIsLeft(world)
})
