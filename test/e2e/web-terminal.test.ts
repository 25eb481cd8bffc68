// The live terminal over a WebSocket: what is seen, what is typed, and that no viewer changes anything for anybody else.
import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { clientsOf, openTerminal } from '../helpers/live-terminal.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const QUIET = 'quiet.window: 3s\n'

async function atRest(script = 'do: say hello', config = QUIET) {
  const world = await startWorld({ config })
  const id = await world.run(script, '--mode', 'interactive')
  await idle(world, id)
  const { tmux_session } = await world.status(id)
  const size = () =>
    world.tmux('display-message', '-p', '-t', `=${tmux_session}:`, '#{window_width}x#{window_height}')
  return { world, id, size }
}

const idle = (world: World, id: string) =>
  waitFor(`${id} to be idle`, async () => (await world.status(id)).phase === 'idle')

const noClients = (world: World) =>
  waitFor('every client of a viewer to be gone', async () => (await clientsOf(world)).length === 0)

const auditOf = async (world: World, prefix: string) =>
  (await world.json<{ entries: AuditEntryJson[] }>(['audit'])).entries
    .filter(({ kind }) => kind.startsWith(prefix))
    .reverse()

test('a viewer sees the screen and what changes on it; its keys are dropped, and the pane keeps its size', async () => {
  const { world, id, size } = await atRest()
  const before = await size()
  const about = await world.daemon.call('GET /api/tasks/:id/terminal', { id, query: {} })
  expect(about).toEqual({ session_id: id, columns: 200, rows: 51, may_type: true })
  const viewer = await openTerminal(world, id)
  await viewer.shows('hello')
  expect(viewer.told).toEqual([{ type: 'size', columns: 200, rows: 51, status_lines: 1 }])
  viewer.types('do: say dropped\r')
  await world.ok(['send', id, 'do: say further'])
  await viewer.shows('further')
  await idle(world, id)
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: say hello', 'do: say further'])
  expect(await size()).toBe(before)
  await viewer.close()
  await noClients(world)
  expect(await auditOf(world, 'terminal_')).toEqual([])
})

test('what is typed with typing on arrives once, and is on record: who, when, how much', async () => {
  const { world, id } = await atRest()
  const viewer = await openTerminal(world, id, { typing: true })
  await viewer.shows('hello')
  viewer.types('do: say typed')
  await viewer.shows('typed')
  viewer.types('\r')
  await waitFor('the prompt', () => world.heard().length === 2)
  await viewer.close()
  await idle(world, id)
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: say hello', 'do: say typed'])
  const rows = await waitFor('both rows', async () => {
    const found = await auditOf(world, 'terminal_')
    return found.length === 2 ? found : undefined
  })
  expect(rows).toMatchObject([
    { kind: 'terminal_typing_on', actor: 'tester', session_id: id },
    {
      kind: 'terminal_typing_off',
      actor: 'tester',
      session_id: id,
      detail: expect.stringMatching(/^14 bytes/),
    },
  ])
})

test('two viewers and a person at a smaller terminal: the pane keeps its size as they come and go', async () => {
  const { world, id, size } = await atRest()
  const before = await size()
  const first = await openTerminal(world, id)
  const person = personAt(world)
  person.runs('attach', id)
  await waitFor('the person', async () => (await clientsOf(world)).length === 2)
  const second = await openTerminal(world, id, { typing: true })
  await second.shows('hello')
  expect(await clientsOf(world)).toHaveLength(3)
  expect(await size()).toBe(before)
  await first.close()
  await second.close()
  expect(await size()).toBe(before)
  await waitFor('only the person', async () => (await clientsOf(world)).length === 1)
})

test('the pane of a session without a TUI keeps its size, too: a viewer has the size that the pane has', async () => {
  const world = await startWorld()
  const id = await world.run('do: say hello\ndo: hang')
  const { tmux_session } = await waitFor('its pane', async () => {
    const task = await world.status(id)
    return task.tmux_active ? task : undefined
  })
  const size = () =>
    world.tmux('display-message', '-p', '-t', `=${tmux_session}:`, '#{pane_width}x#{pane_height}')
  const before = await size()
  const viewer = await openTerminal(world, id)
  await viewer.shows('hello')
  expect(await size()).toBe(before)
  await viewer.close()
  await noClients(world)
  expect(await size()).toBe(before)
})

test('a viewer who only looks is no person at the keys: prompts are typed at once; one who types is', async () => {
  const { world, id } = await atRest('do: say hello', 'quiet.window: 60s\n')
  const viewer = await openTerminal(world, id)
  await viewer.shows('hello')
  viewer.types('x')
  await world.ok(['send', id, 'do: say first'])
  await viewer.shows('first')
  expect(await auditOf(world, 'trigger_deferred')).toEqual([])
  await idle(world, id)
  const typist = await openTerminal(world, id, { typing: true })
  await typist.shows('first')
  typist.types('x\u007f')
  await world.ok(['send', id, 'do: say second'])
  await waitFor('the prompt to be kept back', async () => {
    const { kept_back } = await world.status(id)
    return kept_back?.reason === 'person_types'
  })
})

test('the terminal of a closed pane ends, and says so', async () => {
  const { world, id } = await atRest()
  const viewer = await openTerminal(world, id)
  await viewer.shows('hello')
  await world.ok(['kill', id, '--force'])
  expect(await viewer.end()).toBe(1000)
  expect(viewer.told.at(-1)).toEqual({ type: 'end', why: 'gone' })
  await noClients(world)
  await expect(openTerminal(world, id)).rejects.toMatchObject({ status: 409, code: 'TASK_NOT_ACTIVE' })
})

test('a daemon that stops ends its viewers; one that is killed leaves none after the next start', async () => {
  const { world, id, size } = await atRest()
  const before = await size()
  const stopped = [await openTerminal(world, id), await openTerminal(world, id, { typing: true })]
  await stopped[0]!.shows('hello')
  await world.ok(['down'])
  expect(await stopped[0]!.end()).toBe(1001)
  expect(stopped[0]!.told.at(-1)).toEqual({ type: 'end', why: 'stopping' })
  await stopped[1]!.end()
  await noClients(world)
  await world.ok(['up'])
  const cut = await openTerminal(world, id)
  await openTerminal(world, id, { typing: true })
  await cut.shows('hello')
  // A program that the daemon starts meanwhile gets the open terminals too, and keeps them open.
  await world.run('do: hang')
  await world.killDaemon()
  expect(await cut.end()).toBe(1006)
  await world.ok(['up'])
  await noClients(world)
  expect(await size()).toBe(before)
})

test('a reader that takes nothing holds up neither the agent nor other viewers', async () => {
  const { world, id } = await atRest()
  const stalled = await openTerminal(world, id)
  await stalled.shows('hello')
  stalled.socket.pause()
  const other = await openTerminal(world, id)
  const pane = `=${(await world.status(id)).tmux_session}:`
  // More than every buffer on the way takes, drawn by a window beside that both viewers see.
  await world.tmux('new-window', '-t', pane, 'sh', '-c', 'seq -f "%0120g" 1 200000; echo drawn; exec cat')
  await other.shows('drawn')
  await world.tmux('kill-window', '-t', pane)
  await world.ok(['send', id, 'do: say still here'])
  await other.shows('still here')
  expect(stalled.bytes()).toBeLessThan(other.bytes())
  await stalled.close().catch(() => undefined)
})
