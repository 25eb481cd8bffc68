// Each real agent whose model refuses it: what a person must mend is asked, what passes is waited for.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ParksJson } from '../../src/protocol/json/recovery-json.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { PATIENCE_MS, recoveringWith, saidTo, until, untilPhase } from './recovery-world.ts'

const lab = useLab()

const gatesOf = async (world: World) => (await world.json<ParksJson>(['parks'])).gates.map(({ kind }) => kind)

/** Claude Code says that nobody answers, Pi only that it cannot connect, and is retried. The other two try again by themselves. */
const isOffline: Record<AgentKind, (world: World, run: string) => boolean | Promise<boolean>> = {
  claude: async (world) => (await gatesOf(world)).includes('environment'),
  pi: async (world) => (await world.json<TaskListJson>(['list'])).tasks[0]!.retries > 0,
  codex: (world, run) => said(world, run, 'events.jsonl').includes('waiting for network'),
  opencode: (world, run) => said(world, run, 'stderr.log').includes('Unable to connect'),
}

function said(world: World, run: string, file: string): string {
  const path = join(world.home, 'runs', run, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

test.each(kindsThat(() => true))(
  '%s meets a wrong key, a dead network and a used-up limit, and completes its work all the same',
  { timeout: 3 * PATIENCE_MS },
  async (kind) => {
    const { world, run } = await recoveringWith(kind, lab)
    lab.answer({ verb: 'badkey', argument: '' })
    const id = await run('DO:write{made.txt} in spite of all', 'full')
    const asking = await untilPhase(world, id, 'asking')
    expect(asking.reason).toMatch(/key|auth|401|credential/i)
    expect(asking).toMatchObject({ retries: 0, questions: [{ options: ['resume', 'close'] }] })

    await lab.hangUp()
    lab.answer({ verb: 'usage', argument: '3600' })
    await world.ok(['answer', id, 'resume'])
    await waitFor(
      'the network to be missed',
      async () => isOffline[kind](world, (await world.status(id)).run_id ?? ''),
      PATIENCE_MS,
    )

    await lab.pickUp()
    await waitFor('the limit', async () => (await gatesOf(world)).includes('limit'), PATIENCE_MS)
    const parked = await untilPhase(world, id, 'parked')
    expect(parked.reason).toMatch(/limit|429/i)

    lab.answer(null)
    await world.ok(['unpark', '--all'])
    await until(world, id, 'it is done', ({ status }) => status === 'COMPLETED')
    expect(existsSync(join(lab.project, 'made.txt'))).toBe(true)
    expect(saidTo(lab, 'in spite of all')).toBe(1)
  },
)
