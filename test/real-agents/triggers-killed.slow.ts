// A real agent in its terminal gets a trigger, and kill -9 before it has it: the run that resumes its session is told, once.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { treeOf } from '../helpers/process-tree.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { signal, type World } from '../helpers/world.ts'
import { driverOf, kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { agentOf, PATIENCE_MS, untilPhase } from './recovery-world.ts'
import { agentAtRest, expectOnce, orderOf, statesOf } from './trigger-world.ts'

const lab = useLab()
const kinds = kindsThat(({ can }) => can.modes.includes('interactive'))

async function tellAll(world: World, id: string, name: NodeJS.Signals): Promise<void> {
  for (const pid of treeOf((await agentOf(world, id)).pid)) signal(pid, name)
}

test.each(kinds)(
  '%s: killed with a trigger before its eyes, then with one that waits for its turn: each arrives once, after a resume',
  async (kind) => {
    const { world, id, send, ledger, untilState, untilStep } = await agentAtRest(kind, lab)
    const { run_id, agent_session_id } = await world.status(id)
    if (kind === 'claude') await untilKept(agent_session_id)
    await tellAll(world, id, 'SIGSTOP')
    const unread = await send('one\nDO:text{unread no more}\nthree')
    if (driverOf(kind).can.terminal?.hears === 'keys') await untilPasted(world, id)
    else await untilState(unread, 'typed')
    await tellAll(world, id, 'SIGKILL')
    const read = await untilState(unread, 'done')
    expect(statesOf(read).slice(-4)).toEqual(['fallen_back', 'typed', 'submitted', 'done'])
    expect(read.steps.find(({ state }) => state === 'fallen_back')?.code).toBe('PANE_DEAD')
    expectOnce(lab, unread)
    expect(await world.status(id)).toMatchObject({ agent_session_id })
    expect((await world.status(id)).run_id).not.toBe(run_id)

    await untilPhase(world, id, 'idle')
    lab.answer({ verb: 'held', argument: '' })
    const begun = await send('four\nDO:text{begun and gone on with}\nsix')
    await untilStep(begun, 'submitted')
    await waitFor('the model to be asked', () => orderOf(lab).includes(begun.id), PATIENCE_MS)
    const waiting = await send('seven\nDO:text{waited}\nnine')
    expect((await ledger(waiting)).state).toBe('queued')
    lab.answer(null)
    await tellAll(world, id, 'SIGKILL')
    const waited = await untilState(waiting, 'done')
    expect(statesOf(waited)).toEqual(['queued', 'fallen_back', 'typed', 'submitted', 'done'])
    expect(await ledger(begun)).toMatchObject({ state: 'done' })
    for (const sent of [unread, begun, waiting]) expectOnce(lab, sent)
    expect(orderOf(lab)).toEqual([unread.id, begun.id, waiting.id])
  },
)

/** Claude Code writes its answer down a moment after it told the end of its turn; before that, there is nothing to resume. */
const untilKept = (session: string | null) =>
  waitFor(
    'its session on disk',
    () => {
      const projects = join(lab.home, '.claude/projects')
      const files = readdirSync(projects, { recursive: true, encoding: 'utf8' })
      const file = files.find((name) => name.endsWith(`${session}.jsonl`))
      return file !== undefined && readFileSync(join(projects, file), 'utf8').includes('"role":"assistant"')
    },
    PATIENCE_MS,
  )

async function untilPasted(world: World, id: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  const pasted = ['display-message', '-p', '-t', `=${tmux_session}:`, '#{@hf_pasted}']
  await waitFor('the paste', async () => (await world.tmux(...pasted)).trim() !== '', PATIENCE_MS)
}
