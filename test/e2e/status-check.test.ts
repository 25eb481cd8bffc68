import { expect, test } from 'vitest'
import type { StatusCheckJson } from '../../src/protocol/json/life-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

test('a check tells in one word how a session is, and remembers the clock it saw, also over the daemon’s death', async () => {
  const world = await startWorld()
  const check = (id: string) => world.json<StatusCheckJson>(['tmux-status-check', id])
  const id = await world.run('do: wait-for go', '--mode', 'interactive')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  const first = await waitFor('its clock to be read', async () => {
    const checked = await check(id)
    return checked.current_time !== null && checked
  })
  expect(first).toMatchObject({
    session_state: 'in_progress',
    other_checks: 'in_progress',
    previous_time: null,
  })
  expect(first.current_time).toMatch(/^\d\d:\d\d:\d\d$/)
  await world.killDaemon()
  const later = await waitFor('a later time', async () => {
    const checked = await check(id)
    return checked.current_time !== first.current_time && checked
  })
  expect(later.previous_time).toBe(first.current_time)
  expect(later.session_state).toBe('in_progress')

  const said = await world.cli(['tmux-status-check', id])
  expect(said).toMatchObject({ code: 0, stdout: 'in_progress\n' })
  expect(said.stderr).toMatch(/^statusline: \d\d:\d\d:\d\d → \d\d:\d\d:\d\d$/m)
  await world.ok(['kill', id, '--force'])
  expect(await check(id)).toMatchObject({
    session_state: 'killed',
    current_time: null,
    silent_seconds: null,
  })
})

test('a session without a terminal has no clock; one that nobody knows is not_found', async () => {
  const world = await startWorld()
  const id = await world.run('do: finish done')
  await world.untilStatus(id, 'COMPLETED')
  const checked = await world.json<StatusCheckJson>(['tmux-status-check', id])
  expect(checked).toMatchObject({ session_state: 'completed', phase: null, current_time: null })
  expect(await world.cli(['tmux-status-check', 'nobody'])).toMatchObject({ code: 1, stdout: 'not_found\n' })
  const { code, stdout } = await world.cli(['tmux-status-check', 'nobody', '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { session_id: 'nobody', session_state: 'not_found' }])
})
