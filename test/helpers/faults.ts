// What tests of faults share: a world that brings tasks back quickly, who is who in it, and what must not be left.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import { processesBelow } from '../../src/system/processes/processes-below.ts'
import { isAlive } from './is-alive.ts'
import { waitFor } from './wait-for.ts'
import { startWorld, type World } from './world.ts'

const QUICK = 'backoff.base: 50ms\nbackoff.cap: 200ms\nwake.stagger: 50ms\nreconcile.interval: 300ms\n'
const PATIENCE_MS = 30_000

export const recovering = (config = '', more: Parameters<typeof startWorld>[0] = {}) =>
  startWorld({ retries: 10, config: `${QUICK}${config}`, ...more })

/** Two steps that must each be done once, with a wait in between in which to do harm. */
export const TWO_STEPS = 'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two\ndo: finish whole'

export const textIn = (world: World, name: string) => {
  const path = join(world.project, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

export const untilStep = (world: World, text: string) =>
  waitFor(`done.txt to be '${text}'`, () => textIn(world, 'done.txt') === text, PATIENCE_MS)

export const letGoOn = (world: World) => writeFileSync(join(world.project, 'go'), '')

export const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(
    `${id} to be ${phase}`,
    async () => {
      const task = await world.status(id)
      return task.phase === phase ? task : undefined
    },
    PATIENCE_MS,
  )

/** What the shim wrote down of the current run's process. */
export const agentPid = (world: World, id: string) =>
  waitFor(
    `the agent of ${id}`,
    async () => {
      const { run_id } = await world.status(id)
      const file = join(world.home, 'runs', run_id ?? 'none', 'pid')
      const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) : 0
      return pid > 0 && isAlive(pid) ? pid : undefined
    },
    PATIENCE_MS,
  )

export const anotherAgent = (world: World, id: string, before: number) =>
  waitFor(
    'another agent',
    async () => {
      const pid = await agentPid(world, id)
      return pid === before ? undefined : pid
    },
    PATIENCE_MS,
  )

/** The shim that waits for the agent to write down its end. */
export function keeperPid(world: World): number {
  const keepers = world.processes().filter((pid) => words(pid).includes('keep'))
  expect(keepers).toHaveLength(1)
  return keepers[0]!
}

export const controlClientPid = (world: World): number =>
  JSON.parse(readFileSync(join(world.home, 'tmux.sock.client'), 'utf8')).pid

export const words = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Its prompt once, and as often as this the fixed words; in one session. */
export function toldOnce(world: World, continuations: number): void {
  const heard = world.heard()
  expect(heard.map(({ resumed }) => resumed)).toEqual([false, ...Array(continuations).fill(true)])
  for (const { heard: text } of heard.slice(1)) expect(text).toBe(CONTINUATION)
  expect(new Set(heard.map(({ session }) => session)).size).toBe(1)
}

/** After the end of all tasks: no process, pane, socket, secret or half-written file. */
export async function nothingIsLeft(world: World): Promise<void> {
  await waitFor(
    'panes of ended tasks to close',
    async () => !(await world.tmux('list-panes', '-a', '-F', '#{session_name}')).includes('hf-2'),
  )
  await world.ok(['down'])
  const left = () => processesBelow(world.root).map(({ pid, argv }) => `${pid} ${argv.join(' ')}`)
  await waitFor('the control client to be gone', () => left().length === 0).catch((error) => {
    throw new Error(`${error.message}; left are: ${left().join('; ')}`)
  })
  const leftovers = readdirSync(world.home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tmp|\.sock$|daemon\.json$|\/env$|drafts\/./.test(name),
  )
  expect(leftovers).toEqual([])
}
