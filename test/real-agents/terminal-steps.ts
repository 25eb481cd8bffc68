// What the tests of terminals that go on share: a tool whose life is seen in a file, and a person's Esc.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import type { Lab } from './lab.ts'
import { PATIENCE_MS, until, untilPhase } from './recovery-world.ts'

/** How long one press of Esc may take to be seen. */
const ONE_KEY_MS = 2_000

/** A tool that says its number as long as it lives. */
export const step = (number: number) => `DO:shell{while :; do echo ${number} >> steps.txt; sleep 0.1; done}`

export const untilStep = (world: World, lab: Lab, id: string, number: number) =>
  until(world, id, `step ${number}`, () => {
    const file = join(lab.project, 'steps.txt')
    return existsSync(file) && readFileSync(file, 'utf8').includes(`${number}\n`)
  }).catch(failedAt(world, id))

/** What is to be seen of a task when a test waits for it in vain. */
const failedAt = (world: World, id: string) => async (error: Error) => {
  const seen = await Promise.all(['status', 'screen', 'why'].map((command) => world.ok([command, id])))
  throw new Error([error.message, ...seen].join('\n'))
}

export async function press(world: World, id: string, key: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, key)
}

/** Presses Esc as a person does: OpenCode wants a second one, and now and then needs more. */
export async function interrupt(kind: AgentKind, world: World, id: string): Promise<void> {
  if (kind === 'opencode')
    await waitFor('OpenCode to stop', () => stopOpenCode(world, id), PATIENCE_MS).catch(failedAt(world, id))
  else await press(world, id, 'Escape')
  await untilPhase(world, id, 'stopped_by_person').catch(failedAt(world, id))
}

/**
 * One try. OpenCode forgets an Esc when five seconds have passed since any earlier one, and on a busy machine it may take an
 * Esc for the beginning of a longer key, until another key comes.
 */
async function stopOpenCode(world: World, id: string): Promise<boolean> {
  const isStopped = async () => (await world.status(id)).phase === 'stopped_by_person'
  const asks = async () => (await world.ok(['screen', id])).includes('again to interrupt')
  const within = (check: () => Promise<boolean>) => waitFor('it', check, ONE_KEY_MS).catch(() => false)
  await press(world, id, 'Left')
  await press(world, id, 'Escape')
  if (await within(asks)) await press(world, id, 'Escape')
  return within(isStopped)
}
