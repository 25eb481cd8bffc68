// What the tests of terminals that go on share: a tool whose life is seen in a file, and a person's Esc.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import type { Lab } from './lab.ts'
import { until, untilPhase } from './recovery-world.ts'

/** A tool that says its number as long as it lives. */
export const step = (number: number) => `DO:shell{while :; do echo ${number} >> steps.txt; sleep 0.1; done}`

export const untilStep = (world: World, lab: Lab, id: string, number: number) =>
  until(world, id, `step ${number}`, () => {
    const file = join(lab.project, 'steps.txt')
    return existsSync(file) && readFileSync(file, 'utf8').includes(`${number}\n`)
  }).catch(async (error) => {
    throw new Error(`${error.message}\n${await world.ok(['status', id])}\n${await world.ok(['screen', id])}`)
  })

async function press(world: World, id: string, key: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, key)
}

/** OpenCode asks once more whether that was meant. As long as it still asks about an earlier key, one key is enough. */
export async function interrupt(kind: AgentKind, world: World, id: string): Promise<void> {
  const asks = async () => (await world.ok(['screen', id])).includes('again to interrupt')
  if (kind === 'opencode') await waitFor('it to ask no more', async () => !(await asks()))
  await press(world, id, 'Escape')
  if (kind === 'opencode') {
    await waitFor('it to ask', asks)
    await press(world, id, 'Escape')
  }
  await untilPhase(world, id, 'stopped_by_person')
}
