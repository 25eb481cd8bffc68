import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { nothingIsLeft, recovering } from '../helpers/faults.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

const TASKS = 50
/** Small enough to have fifty of: its record is one file for each task, a line for each life. */
const AGENT = `#!/bin/sh
read -r id </proc/sys/kernel/random/uuid
echo "session \${2:-$id}"
echo "$$ $1 \${2:-$id}" >>lives/"$HOLDFAST_TASK_ID"
until [ -e go ]; do sleep 1; done
echo "All done: $HOLDFAST_TASK_ID"
`

type Life = { pid: number; how: string; session: string }
const livesOf = (world: World): Life[][] =>
  readdirSync(join(world.project, 'lives')).map((name) =>
    readFileSync(join(world.project, 'lives', name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [pid, how, session] = line.split(' ')
        return { pid: Number(pid), how: how!, session: session! }
      }),
  )
const startedWith = (world: World, lives: number) =>
  livesOf(world).filter((all) => all.length >= lives).length === TASKS

test(`${TASKS} tasks that die at once are each resumed exactly once, and completed`, async () => {
  const program = join(tempDir('hfbin'), 'light')
  writeFileSync(program, AGENT, { mode: 0o755 })
  const agent = {
    argv: [program, 'begin'],
    resume: [program, 'resume', '{session_id}'],
    patterns: { session: '^session ([0-9a-f-]{36})', done: '^All done: (.*)' },
  }
  const world = await recovering(`maxConcurrent: ${TASKS}\nagents: ${JSON.stringify({ light: agent })}\n`)
  mkdirSync(join(world.project, 'lives'))
  for (let n = 0; n < TASKS; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => world.run('work', '--agent', 'light', '--name', `t${n + at}`)),
    )
  await waitFor('all to work', () => startedWith(world, 1), 60_000)
  await waitFor('their sessions', async () => {
    const { tasks } = await world.json<TaskListJson>(['list'])
    return tasks.every(({ agent_session_id }) => agent_session_id !== null)
  })
  for (const [life] of livesOf(world)) process.kill(life!.pid, 'SIGKILL')
  await waitFor('all to be back', () => startedWith(world, 2), 60_000)
  writeFileSync(join(world.project, 'go'), '')
  await waitFor(
    'all to be done',
    async () => (await world.json<TaskListJson>(['list'])).totals!.completed === TASKS,
    60_000,
  )
  for (const lives of livesOf(world)) {
    expect(lives.map(({ how }) => how)).toEqual(['begin', 'resume'])
    expect(lives[1]!.session).toBe(lives[0]!.session)
  }
  const { tasks } = await world.json<TaskListJson>(['list'])
  for (const { result_file, session_id } of tasks)
    expect(JSON.parse(readFileSync(result_file, 'utf8'))).toMatchObject({ result: session_id })
  await nothingIsLeft(world)
}, 180_000)
