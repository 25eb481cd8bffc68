// Twenty tasks while daemon and tmux server are killed at random thirty times: every task ends once, and right.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const TASKS = 20
const KILLS = 30
/** Tasks end as these, in turn. */
const ENDINGS = [
  { script: 'do: finish fine', status: 'COMPLETED' },
  { script: 'do: result {"n":1}\ndo: finish fine', status: 'COMPLETED' },
  { script: 'do: fail on purpose', status: 'FAILED' },
  { script: 'do: crash 7', status: 'FAILED' },
]

/** A repeatable coin: a failure can be played again with its seed. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

test(`${TASKS} tasks survive ${KILLS} kills`, { timeout: 240_000 }, async () => {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
  console.log(`chaos seed ${seed}`)
  const roll = dice(seed)
  const world = await startWorld({
    config: 'maxConcurrent: 6\nreconcile.interval: 500ms\nlaunch.grace: 2s\n',
  })
  const ids: string[] = []
  for (let n = 0; n < TASKS; n++) {
    const steps = Array.from(
      { length: 3 },
      (_, step) => `do: say task ${n} step ${step}\ndo: wait ${0.2 + roll(10) / 10}`,
    )
    ids.push(
      await world.run([...steps, ENDINGS[n % ENDINGS.length]!.script].join('\n'), '--name', `chaos-${n}`),
    )
  }
  // A third death under one daemon would keep tmux down, as it should.
  let tmuxDeaths = 0
  for (let kill = 0; kill < KILLS; kill++) {
    if (tmuxDeaths < 2 && roll(3) === 0) {
      tmuxDeaths++
      process.kill(await waitFor('a tmux server', () => world.tmuxPid().catch(() => undefined)), 'SIGKILL')
    } else {
      tmuxDeaths = 0
      await world.killDaemon()
      await new Promise((later) => setTimeout(later, roll(120)))
      if (roll(2) === 0) void world.cli(['list'])
      else await world.cli(['list'])
    }
    await new Promise((later) => setTimeout(later, roll(250)))
    await world.cli(['up'])
  }
  await waitFor(
    'every task to end',
    async () => {
      const { totals } = await world.json<TaskListJson>(['list'])
      return totals!.completed + totals!.failed === TASKS
    },
    90_000,
  )

  for (const [n, id] of ids.entries()) {
    const task = await world.status(id)
    expect(task).toMatchObject({ session_id: id, status: ENDINGS[n % ENDINGS.length]!.status })
    const output = await world.ok(['logs', id])
    for (let step = 0; step < 3; step++) expect(output.split(`task ${n} step ${step}`)).toHaveLength(2)
    const session = readFileSync(join(world.home, 'tasks', id, 'session.log'), 'utf8')
    expect(session.match(/→ (COMPLETED|FAILED)/g)).toHaveLength(1)
    if (task.status === 'COMPLETED') expect(JSON.parse(readFileSync(task.result_file, 'utf8'))).toBeTruthy()
  }
  const heard = world.heard().map((one) => one.heard)
  expect(heard).toHaveLength(TASKS)
  expect(new Set(heard).size).toBe(TASKS)
  await nothingIsLeft(world)
})

async function nothingIsLeft(world: World): Promise<void> {
  await waitFor(
    'panes of ended tasks to close',
    async () => !(await world.tmux('list-panes', '-a', '-F', '#{session_name}')).includes('hf-2'),
  )
  await world.ok(['down'])
  expect(world.processes()).toEqual([])
  const leftovers = readdirSync(world.home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tmp|\.sock$|daemon\.json$|\/env$|drafts\/./.test(name),
  )
  expect(leftovers.filter((name) => name !== 'tmux.sock')).toEqual([])
}
