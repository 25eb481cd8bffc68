// A person attaches to a runtime on a real terminal and speaks to its agent; then the orchestrator of its workspace is told so.
import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import type { RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const PATIENCE_MS = 60_000
const WORKER = 'reviewer@project'

test('the orchestrator is told once who was attached, since when, and all that they said within seconds', async () => {
  const world = await startWorld({
    config: 'orchestrator.role: lead\nquiet.window: 3s\nreconcile.interval: 500ms\n',
  })
  for (const role of ['lead', 'reviewer'])
    await world.json<RuntimeStartedJson>(['runtime', 'start', role, '--agent', 'scripted'])
  const person = personAt(world)
  const before = Date.now()
  person.runs('attach', WORKER)
  await person.shows('enter sends')
  const said = ['do: say one', 'do: say two', 'do: say two', 'do: say three']
  for (const text of said) {
    person.types('-l', text)
    person.types('Enter')
  }
  await waitFor('the reviewer to have heard them', () => world.heard().length === said.length)

  const told = () => world.heard().filter(({ heard }) => heard.includes('reason=operator_intervened'))
  const [only] = await waitFor('the lead to be told', () => told()[0] && told(), PATIENCE_MS)
  const lines = only?.heard.split('\n') ?? []
  expect(lines[1]).toContain(`A person typed into the terminal of ${WORKER} (session `)
  const [, user, since] = /^It was (\S+) at \/dev\/\S+, attached since (\S+)\.$/.exec(lines[2] ?? '') ?? []
  expect(user).toBe(userInfo().username)
  // tmux tells whole seconds.
  expect(Date.parse(since ?? '')).toBeGreaterThan(before - 2000)
  expect(Date.parse(since ?? '')).toBeLessThanOrEqual(Date.now())
  expect(lines.filter((line) => line.startsWith('| '))).toEqual(said.map((text) => `| ${text}`))
  expect(lines).toContain('It is ready now, its session is idle.')

  // A second visit is a second message, and tells nothing of the first.
  person.types('-l', 'do: say four')
  person.types('Enter')
  await waitFor('the second message', () => told().length === 2, PATIENCE_MS)
  expect(told()[1]?.heard).toContain('| do: say four')
  expect(told()[1]?.heard).not.toContain('three')
}, 180_000)
