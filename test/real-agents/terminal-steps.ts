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
  }).catch(failedAt(world, id))

/** What is to be seen of a task when a test waits for it in vain. */
const failedAt = (world: World, id: string) => async (error: Error) => {
  const seen = await Promise.all(['status', 'screen', 'why'].map((command) => world.ok([command, id])))
  const { run_id } = await world.status(id)
  const ev = readFileSync(join(world.home, 'runs', run_id ?? 'none', 'events.jsonl'), 'utf8')
    .split('\n')
    .slice(-45)
    .map((l) => l.slice(0, 420))
  throw new Error([error.message, ...seen, ...ev].join('\n'))
}

async function press(world: World, id: string, key: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, key)
}

/** OpenCode takes Esc only when it shows that it works, and asks once more whether that was meant. */
export async function interrupt(kind: AgentKind, world: World, id: string): Promise<void> {
  const shows = (what: string) =>
    waitFor(`"${what}"`, async () => (await world.ok(['screen', id])).includes(what)).catch(
      failedAt(world, id),
    )
  if (kind === 'opencode') await shows('esc interrupt')
  await press(world, id, 'Escape')
  if (kind === 'opencode') {
    await shows('again to interrupt')
    await press(world, id, 'Escape')
  }
  await untilPhase(world, id, 'stopped_by_person').catch(failedAt(world, id))
}
