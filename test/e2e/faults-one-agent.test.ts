// Never two agents on one task: a test that tries hard to make it happen.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nothingIsLeft, recovering, textIn, words } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, type World } from '../helpers/world.ts'

const TASKS = 3
const FOR_MS = 20_000
const STEPS = 6

/** Each leaves a tool behind that would outlive it, and does things that can be counted. */
const scriptOf = (task: number) =>
  [
    'do: tool-detached 600',
    ...Array.from({ length: STEPS }, (_, step) => `do: append t${task}.txt ${step}\ndo: tool 0.3 work`),
    'do: wait-for end',
    'do: finish whole',
  ].join('\n')

type Seen = { looks: number; runs: number; together: string[] }

/** Returns how to end the watch, and what it saw. */
function watchForTwo(world: World): () => Promise<Seen> {
  const script = join(import.meta.dirname, '../helpers/watch-for-two.mjs')
  const watcher = spawn(process.execPath, [script, world.root])
  onTestFinished(() => void watcher.kill('SIGKILL'))
  const said = finished(watcher)
  return async () => {
    watcher.stdin.end()
    return JSON.parse((await said).stdout)
  }
}

/** Repeatable: a failure can be played again with its seed. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const runs = (program: string) => (pid: number) => words(pid).some((word) => word.endsWith(`/${program}`))
const isAgent = runs('scripted-agent.js')
const isDaemon = runs('daemon.js')
const isKeeper = (pid: number) => words(pid).includes('keep')

function killOneOf(world: World, is: (pid: number) => boolean, roll: (sides: number) => number): void {
  const all = world.processes().filter(is)
  const pid = all[roll(all.length)]
  if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL')
}

/** A run on which the daemon died three times is left alone until a person decides: here one who wants it to go on. */
async function untilCompleted(world: World, id: string): Promise<void> {
  const { phase } = await waitFor(
    `${id} to be completed, or left alone`,
    async () => {
      const task = await world.status(id)
      return task.status === 'COMPLETED' || task.task_status === 'waiting_input' ? task : undefined
    },
    60_000,
  )
  if (phase !== null) {
    expect(await world.ok(['why', id])).toContain('is left alone: the daemon died 3 times while handling it')
    await world.ok(['resume', id])
  }
  await world.untilStatus(id, 'COMPLETED', 60_000)
}

test(`${FOR_MS / 1000} s of random kills never make two agents work on one task`, async () => {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
  const roll = dice(seed)
  const world = await recovering('crashLoop.deaths: 1000\nlaunch.grace: 2s\n', { retries: 1000 })
  const endWatch = watchForTwo(world)
  const ids: string[] = []
  for (let n = 0; n < TASKS; n++) ids.push(await world.run(scriptOf(n), '--name', `t${n}`))
  const until = performance.now() + FOR_MS
  const commands: Promise<unknown>[] = []
  while (performance.now() < until) {
    killOneOf(world, [isAgent, isAgent, isKeeper, isDaemon][roll(4)]!, roll)
    await new Promise((later) => setTimeout(later, roll(300)))
    if (roll(3) === 0) killOneOf(world, [isAgent, isDaemon][roll(2)]!, roll)
    commands.push(world.cli(['up']))
    await new Promise((later) => setTimeout(later, roll(500)))
  }
  await Promise.all(commands)
  await world.ok(['run', '--wait', 'do: write end now\ndo: finish now'])
  for (const id of ids) await untilCompleted(world, id)
  const { looks, runs, together } = await endWatch()
  console.log(`seed ${seed}: ${looks} looks at ${runs} runs`)
  expect(together).toEqual([])
  expect(runs).toBeGreaterThan(TASKS + 1)
  for (let n = 0; n < TASKS; n++) expect(textIn(world, `t${n}.txt`)).toSatisfy(isInOrder)
  await waitFor('one daemon to be left', () => world.processes().filter(isDaemon).length === 1)
  await nothingIsLeft(world)
}, 180_000)

/** A step that was cut off may be repeated by its agent, but none is left out or comes out of turn. */
function isInOrder(text: string): boolean {
  const steps = text.trim().split('\n').map(Number)
  const follows = (step: number, at: number) => at === 0 || step - steps[at - 1]! <= 1
  return (
    steps.every((step, at) => follows(step, at) && step >= (steps[at - 1] ?? 0)) && steps.at(-1) === STEPS - 1
  )
}
