// Agents are woken, with a real daemon and real tmux: of the sessions that they started, and because of messages.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskJson } from '../../src/protocol/json/task-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerListJson } from '../../src/protocol/json/trigger-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const PATIENCE_MS = 30_000
const WAKING = 'recursion.depth: 1\nwake.quiet: 500ms\nruntime.grace: 200ms\nquiet.window: 0s\n'

/** A program that starts two sessions, each of which ends when its file is there. */
function starter(world: World): string {
  const script = join(world.project, 'start.sh')
  const child = (name: string) =>
    `printf "do: wait-for ${name}.go\\ndo: finish ${name} is done" | holdfast run --file - --name ${name} >started-${name}\n`
  writeFileSync(script, child('one') + child('two'))
  return script
}
const letGo = (world: World, name: string) => writeFileSync(join(world.project, `${name}.go`), '')

const children = (world: World, parent: string) =>
  waitFor(
    'both children to work',
    async () => {
      const { tasks } = await world.json<{ tasks: TaskJson[] }>(['list'])
      const found = tasks.filter(
        ({ parent_session, phase }) => parent_session === parent && phase === 'working',
      )
      return found.length === 2 ? found.map(({ session_id }) => session_id) : undefined
    },
    PATIENCE_MS,
  )

const news = (world: World) => world.heard().filter(({ heard }) => heard.includes('There is news of'))
const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => (await world.status(id)).phase === phase, PATIENCE_MS)

test('a parent in a terminal starts two children, ends its turn, and is woken once with both results', async () => {
  const world = await startWorld({ config: WAKING })
  const parent = await world.run(`do: run sh ${starter(world)}\ndo: say started`, '--mode', 'interactive')
  const ids = await children(world, parent)
  await untilPhase(world, parent, 'idle')
  for (const name of ['one', 'two']) letGo(world, name)
  for (const id of ids) await world.untilStatus(id, 'COMPLETED')
  await waitFor('the news', () => news(world).length > 0, PATIENCE_MS)
  for (const id of ids) expect(news(world)[0]!.heard).toContain(`${id}: completed`)
  const { triggers } = await world.json<TriggerListJson>(['trigger', 'list', '--to', parent])
  expect(triggers).toMatchObject([{ reason: 'children' }])
  expect(news(world)).toHaveLength(1)
})

test('a child that asks something wakes its parent in a terminal, which is told the question', async () => {
  const world = await startWorld({ config: WAKING })
  const script = join(world.project, 'start.sh')
  const words = 'do: wait-for ask.go\\ndo: ask Which colour? | red | blue\\ndo: finish painted'
  writeFileSync(
    script,
    `printf "${words}" | holdfast run --file - --mode interactive --name painter >started\n`,
  )
  const parent = await world.run(`do: run sh ${script}\ndo: say started`, '--mode', 'interactive')
  await untilPhase(world, parent, 'idle')
  expect(news(world)).toEqual([])
  letGo(world, 'ask')
  await waitFor('the news', () => news(world).length > 0, PATIENCE_MS)
  const { tasks } = await world.json<{ tasks: TaskJson[] }>(['list'])
  const child = tasks.find(({ parent_session }) => parent_session === parent)!.session_id
  expect(news(world)[0]!.heard).toContain(`${child}: needs_input: Which colour?`)
  const { triggers } = await world.json<TriggerListJson>(['trigger', 'list', '--to', parent])
  expect(triggers).toMatchObject([{ reason: 'children' }])
})

test('the daemon is killed between the end of a child and the wake-up: the next one wakes the parent, once', async () => {
  const world = await startWorld({ config: `${WAKING.replace('500ms', '3s')}` })
  const parent = await world.run(`do: run sh ${starter(world)}\ndo: say started`, '--mode', 'interactive')
  const ids = await children(world, parent)
  await untilPhase(world, parent, 'idle')
  letGo(world, 'one')
  await waitFor('an end', async () => {
    const all = await Promise.all(ids.map((id) => world.status(id)))
    return all.some(({ status }) => status === 'COMPLETED')
  })
  await world.killDaemon()
  expect(news(world)).toEqual([])
  await world.ok(['up'])
  await waitFor('the news', () => news(world).length > 0, PATIENCE_MS)
  await world.killDaemon()
  await world.ok(['up'])
  letGo(world, 'two')
  await waitFor('the next news', () => news(world).length > 1, PATIENCE_MS)
  expect(news(world)).toHaveLength(2)
  expect(news(world).map(({ heard }) => ids.filter((id) => heard.includes(id)).length)).toEqual([1, 1])
})

test('a headless parent waits for its children, says so, and is resumed with the news after the daemon was killed', async () => {
  const world = await startWorld({ config: WAKING })
  const parent = await world.run(`do: run sh ${starter(world)}\ndo: finish started two`)
  const ids = await children(world, parent)
  await untilPhase(world, parent, 'waiting')
  expect(await world.ok(['list'])).toContain('RUNNING waits for children')
  const why = await world.ok(['why', parent])
  expect(why).toContain('waits for the sessions that it started to end, then resumes its session')
  expect(why).toContain(`holdfast finish ${parent}`)
  expect(await world.status(parent)).toMatchObject({ waits_for: 'children', status: 'RUNNING' })
  await world.killDaemon()
  for (const name of ['one', 'two']) letGo(world, name)
  await world.ok(['up'])
  await world.untilStatus(parent, 'COMPLETED', PATIENCE_MS)
  expect(news(world)).toMatchObject([{ resumed: true }])
  for (const id of ids) expect(news(world)[0]!.heard).toContain(`${id}: completed`)
})

test('a headless parent that waited for its children by itself is completed, and told nothing again', async () => {
  const world = await startWorld({ config: WAKING })
  const script = join(world.project, 'start.sh')
  writeFileSync(
    script,
    `holdfast run --wait --name one 'do: finish one' >one.log
holdfast run --name two 'do: finish two' >two.log
holdfast monitor two --json >monitor.json
`,
  )
  const parent = await world.run(`do: run sh ${script}\ndo: finish both are done`)
  await world.untilStatus(parent, 'COMPLETED', PATIENCE_MS)
  expect(news(world)).toEqual([])
  const { run_id } = await world.status(parent)
  const { tasks } = await world.json<{ tasks: TaskJson[] }>(['list'])
  expect(tasks.filter(({ created_by }) => created_by === `run ${run_id}`)).toHaveLength(2)
})

test('one runtime wakes another by a thread; twenty messages while that is busy are one trigger', async () => {
  const world = await startWorld({ config: WAKING })
  for (const role of ['writer', 'reviewer']) await world.ok(['runtime', 'start', role, '--agent', 'scripted'])
  const members = ['--member', 'reviewer@project', '--member', 'writer@project']
  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'login', ...members])
  const woken = () =>
    world.heard().filter(({ heard }) => heard.includes(`Read unread messages for thread ${thread}`))
  const triggers = async () =>
    (await world.json<TriggerListJson>(['trigger', 'list', '--thread', thread])).triggers
  await world.ok(['send', 'reviewer@project', 'do: wait-for go'])
  await untilPhase(world, 'reviewer@project', 'working')
  const script = join(world.project, 'post.sh')
  writeFileSync(script, `holdfast thread post ${thread} "message 1" >posted\n`)
  await world.ok(['send', 'writer@project', `do: run sh ${script}`])
  await waitFor('the wake-up', async () => (await triggers()).length === 1, PATIENCE_MS)
  for (let number = 2; number <= 20; number++)
    await world.daemon.call('POST /api/threads/:id/messages', {
      id: thread,
      body: { text: `message ${number}` },
    })
  writeFileSync(join(world.project, 'go'), '')
  await waitFor('the reviewer to be woken', () => woken().length > 0, PATIENCE_MS)
  const { run_id } = await world.status('reviewer@project')
  const read = await world.ok(['thread', 'read', thread], { env: { HOLDFAST_RUN: run_id! } })
  expect(read).toContain('#1 writer@project')
  expect(read).toContain('message 20')
  const ofReviewer = (await triggers()).filter(({ by }) => by === 'writer@project')
  expect(ofReviewer).toMatchObject([{ reason: 'new_unread_messages' }])
  expect(woken().filter(({ heard }) => heard.includes(ofReviewer[0]!.trigger_id))).toHaveLength(1)
})
