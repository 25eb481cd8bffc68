// Tasks that start tasks: an agent calls the CLI in a tool of its own.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskJson } from '../../src/protocol/json/task-json.ts'
import { CLI, startWorld, type World } from '../helpers/world.ts'

type Listed = { tasks: TaskJson[] }
const allTasks = async (world: World) => (await world.json<Listed>(['list'])).tasks

/** A shell script that the agent runs; what the CLI said lies in `said`. */
function callingTheCli(world: World, ...args: string[]): string {
  const script = join(world.project, `call-${args.length}-${Math.random().toString(36).slice(2)}.sh`)
  const words = [process.execPath, CLI, '--home', world.home, ...args].map((word) => `'${word}'`)
  writeFileSync(script, `${words.join(' ')} >${script}.said 2>&1\necho "exit $?" >>${script}.said\n`)
  return script
}
const said = (script: string) => readFileSync(`${script}.said`, 'utf8')

test('a task may not start tasks unless that is allowed', async () => {
  const world = await startWorld()
  const script = callingTheCli(world, 'run', 'do: finish child')
  const id = await world.run(`do: run sh ${script}\ndo: finish ok`)
  await world.untilStatus(id, 'COMPLETED')
  expect(said(script)).toContain('tasks may not start tasks (recursion.depth is 0). (RECURSION_REFUSED)')
  expect(said(script)).toContain('exit 1\n')
  expect(await allTasks(world)).toHaveLength(1)
  const { entries } = await world.json<{ entries: { actor: string }[] }>([
    ...['audit', '--kind', 'recursion_refused', '--task', id],
  ])
  expect(entries).toMatchObject([{ actor: `run ${(await world.status(id)).run_id}` }])
})

test('allowed one deep, a task starts another, which knows its parent and may start none', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\n' })
  const grandchild = callingTheCli(world, 'run', 'do: finish grandchild')
  const child = callingTheCli(world, 'run', '--name', 'child', '--wait', `do: run sh ${grandchild}`)
  const id = await world.run(`do: run sh ${child}\ndo: finish ok`)
  await world.untilStatus(id, 'COMPLETED')
  expect(said(child)).toContain('exit 0\n')
  expect(said(grandchild)).toMatch(
    /-child was itself started by a task, .* only 1 deep .*\(RECURSION_REFUSED\)/,
  )
  const tasks = await allTasks(world)
  expect(tasks.map(({ parent_session }) => parent_session).sort()).toEqual([id, null])
  const started = tasks.find(({ parent_session }) => parent_session === id)!
  expect(started.created_by).toBe(`run ${(await world.status(id)).run_id}`)
  const state = JSON.parse(readFileSync(join(started.workspace, 'state.json'), 'utf8'))
  expect(state.parent_session).toBe(id)
})

test('a project may forbid what its user allows', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\n' })
  mkdirSync(join(world.project, '.holdfast'))
  writeFileSync(join(world.project, '.holdfast/config.yaml'), 'recursion.depth: 0\n')
  const script = callingTheCli(world, 'run', 'do: finish child')
  const id = await world.run(`do: run sh ${script}\ndo: finish ok`)
  await world.untilStatus(id, 'COMPLETED')
  expect(said(script)).toContain('RECURSION_REFUSED')
  expect(await allTasks(world)).toHaveLength(1)
})

test('a task opens no directory that nobody allowed, also when it may start tasks', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\n' })
  const elsewhere = join(world.root, 'elsewhere')
  mkdirSync(elsewhere)
  const script = callingTheCli(world, 'run', '--dir', elsewhere, 'do: finish child')
  const id = await world.run(`do: run sh ${script}\ndo: finish ok`)
  await world.untilStatus(id, 'COMPLETED')
  expect(said(script)).toContain('WORKSPACE_NOT_ALLOWED')
  expect(await allTasks(world)).toHaveLength(1)
  expect(readdirSync(elsewhere)).toEqual([])
})

test('what is left of a run that is over starts nothing, nor does a run of another home', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\n' })
  const id = await world.run('do: finish ok')
  const { run_id } = await world.untilStatus(id, 'COMPLETED')
  for (const run of [run_id!, 'run-of-another-home'])
    expect(await world.cli(['run', 'do: finish no'], { env: { HOLDFAST_RUN: run } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/HOLDFAST_RUN names run \S+, which has ended or belongs to another home/),
    })
  expect(await allTasks(world)).toHaveLength(1)
})

test('a task answers the question of a task that it started, tells it more, and ends it', async () => {
  const world = await startWorld({ config: 'recursion.depth: 1\n', killGrace: '200ms' })
  const other = await world.run('do: ask Yours? | yes | no', '--converse')
  await world.untilStatus(other, 'waiting_input')
  const script = join(world.project, 'parent.sh')
  const cli = `'${process.execPath}' '${CLI}' --home '${world.home}'`
  const lines = [
    `${cli} run --converse --name child 'do: ask Which colour? | red | green'`,
    `${cli} monitor child`,
    `${cli} answer child green`,
    `${cli} answer ${other} yes`,
    `${cli} send child 'do: say more'`,
    `${cli} kill child --force`,
    `${cli} kill ${other} --force`,
  ]
  writeFileSync(script, lines.map((line) => `${line} >>'${script}.said' 2>&1\n`).join(''))
  const id = await world.run(`do: run sh ${script}\ndo: finish ok`)
  await world.untilStatus(id, 'COMPLETED', 60_000)
  const all = await allTasks(world)
  const child = all.find(({ parent_session }) => parent_session === id)!
  expect(child.status).toBe('KILLED')
  expect(await world.ok(['logs', child.session_id])).toContain('answer: green')
  expect(world.heard().map(({ heard }) => heard)).toContain('do: say more')
  expect(said(script)).toContain(`and ${other} is none of them. (NOT_ALLOWED_FOR_RUN)`)
  expect(said(script)).toContain(`and ${other} is neither. (NOT_ALLOWED_FOR_RUN)`)
  expect((await world.status(other)).task_status).toBe('waiting_input')
})
