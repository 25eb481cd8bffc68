// What a screen shows has its room: no word lies over another one, and none is cut in half.
import { expect, test } from 'vitest'
import { untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { PHONE } from './lib/browser.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test.each([
  ['a desk', {}],
  ['a phone', PHONE],
])('on %s the longest words of a state leave the title alone', async (_, look) => {
  const world = await startPageWorld()
  const id = await world.run('do: hang', '--mode', 'interactive', '--title', 'Stopped in its terminal')
  await untilPhase(world, id, 'working')
  const { tmux_session } = await world.status(id)
  await waitFor('its work', async () => (await world.ok(['screen', id])).includes('Working'))
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'Escape')
  await untilPhase(world, id, 'stopped_by_person')
  const { page } = await world.signIn(look)
  await world.visit(page, '/tasks')
  const row = page.getByRole('row').filter({ hasText: 'Stopped in its terminal' })
  const chip = (await row.getByText('stopped by you', { exact: true }).boundingBox())!
  const title = (await row.getByRole('link').boundingBox())!
  expect(title.x - (chip.x + chip.width)).toBeGreaterThanOrEqual(6)
  expectNoErrors(world)
})

test('a bar that is too narrow for its label has none', async () => {
  const world = await startPageWorld()
  const id = await world.run('do: wait 1\ndo: ask Which? | one | two', '--converse')
  await untilPhase(world, id, 'asking')
  const { page } = await world.signIn(PHONE)
  await world.visit(page, `/tasks/${id}`)
  const labels = page.getByLabel('Timeline').locator('[data-label]')
  await labels.first().waitFor({ state: 'attached' })
  const drawn = () =>
    labels.evaluateAll((all) =>
      all.map((one) => {
        const [label, bar] = [one.getBoundingClientRect(), one.closest('button')!.getBoundingClientRect()]
        return label.top >= bar.bottom ? 'not seen' : label.right > bar.right ? 'cut' : 'whole'
      }),
    )
  // While it waits for an answer, the bar of its work gets narrower and narrower.
  const seen = new Set<string>()
  await waitFor(
    'a label without room',
    async () => {
      for (const one of await drawn()) seen.add(one)
      return seen.has('not seen') || seen.has('cut')
    },
    30_000,
  )
  expect([...seen].sort()).toEqual(['not seen', 'whole'])
  expectNoErrors(world)
})
