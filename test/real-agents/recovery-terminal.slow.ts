// Each real agent in its terminal: what kills it does not end its work; what a person does to it is respected.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import {
  agentOf,
  killAgent,
  PATIENCE_MS,
  recoveringWith,
  saidTo,
  until,
  untilPhase,
} from './recovery-world.ts'
import { interrupt, press } from './terminal-steps.ts'

const lab = useLab()

const BETWEEN_PRESSES_MS = 300

/** Ctrl-C until it is gone: the first may only interrupt, and some ask whether that was meant. */
async function leave(world: World, id: string): Promise<void> {
  const { pid } = await agentOf(world, id)
  await waitFor(
    'it to be gone',
    async () => {
      await press(world, id, 'C-c')
      await sleep(BETWEEN_PRESSES_MS)
      return !isAlive(pid)
    },
    PATIENCE_MS,
  )
}

/** A tool that says its number as long as it lives. */
const step = (number: number) => `DO:shell{while :; do echo ${number} >> steps.txt; sleep 0.1; done}`

const untilStep = (number: number) =>
  waitFor(
    `step ${number}`,
    () => {
      const file = join(lab.project, 'steps.txt')
      return existsSync(file) && readFileSync(file, 'utf8').includes(`${number}\n`)
    },
    PATIENCE_MS,
  )

async function type(world: World, id: string, text: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-l', '-t', `=${tmux_session}:`, text)
  await waitFor('what was typed', async () => (await world.ok(['screen', id])).includes(text.slice(-10)))
  await press(world, id, 'Enter')
}

test.each(kindsThat(({ can }) => can.modes.includes('interactive')))(
  '%s survives what kills it, and heeds who stops it',
  { timeout: 4 * PATIENCE_MS },
  async (kind) => {
    const { world, run } = await recoveringWith(kind, lab)
    const id = await run(`${step(1)} ${step(2)} ${step(3)} step by step`, 'full', '--mode', 'interactive')
    await untilStep(1)
    await until(world, id, 'its session', ({ agent_session_id }) => agent_session_id !== null)
    const first = await agentOf(world, id)

    await killAgent(world, id)
    await untilStep(2)
    const second = await agentOf(world, id)
    expect(second.run).not.toBe(first.run)
    expect([saidTo(lab, 'step by step'), saidTo(lab, CONTINUATION)]).toEqual([1, 1])

    const { retries } = await world.status(id)
    process.kill(await world.tmuxPid(), 'SIGKILL')
    await untilStep(3)
    const third = await agentOf(world, id)
    expect(third.run).not.toBe(second.run)
    expect((await world.status(id)).retries).toBeLessThanOrEqual(retries)
    expect(saidTo(lab, 'step by step')).toBe(1)

    await interrupt(kind, world, id)
    const stopped = await untilPhase(world, id, 'stopped_by_person')
    expect(stopped).toMatchObject({ questions: [{ options: ['resume', 'close'] }], run_id: third.run })

    await type(world, id, `${step(4)} by hand`)
    await untilStep(4)
    const going = await untilPhase(world, id, 'working')
    expect(going).toMatchObject({ questions: [], run_id: third.run })

    await leave(world, id)
    const left = await until(
      world,
      id,
      'a person is asked',
      ({ phase, reason }) => phase === 'stopped_by_person' && /quit in/.test(reason ?? ''),
    )
    expect(left.run_id).toBe(third.run)
    expect(left.questions).toMatchObject([{ options: ['resume', 'close'] }])
    await world.ok(['answer', id, 'close'])
    await world.untilStatus(id, 'KILLED', PATIENCE_MS)
  },
)
