// Each real agent killed in the middle of a tool, without a terminal: it goes on in its session.
import { expect, test } from 'vitest'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import {
  agentOf,
  expectTwoSteps,
  killAgent,
  lastTurns,
  PATIENCE_MS,
  recoveringWith,
  saidTo,
  TWO_STEPS,
  until,
  untilFirstStep,
  untilFirstStepTold,
  untilSession,
  untilToolTold,
} from './recovery-world.ts'

const lab = useLab()
const kinds = kindsThat(() => true)
const conversing = kindsThat(({ can }) => can.converse)

test.each(kinds)(
  '%s, killed while a tool runs, is resumed in its session and told to go on',
  async (kind) => {
    const { world, run } = await recoveringWith(kind, lab)
    const id = await run(TWO_STEPS, 'full')
    await untilFirstStepTold(kind, world, id, lab)
    const { run: first } = await agentOf(world, id)
    const { agent_session_id } = await untilSession(world, id)
    await killAgent(world, id)
    const task = await world.untilStatus(id, 'COMPLETED', PATIENCE_MS)
    expectTwoSteps(lab)
    expect(task.run_id).not.toBe(first)
    expect(task.agent_session_id).toBe(agent_session_id)
    expect(saidTo(lab, 'in two steps')).toBe(1)
    expect(saidTo(lab, CONTINUATION)).toBe(1)
    expect(lastTurns(lab).filter(({ role }) => role === 'call')).toHaveLength(2)
  },
)

test.each(conversing)(
  '%s, killed in a conversation, goes on first and then hears what was said meanwhile, once',
  async (kind) => {
    const { world, run } = await recoveringWith(kind, lab)
    const id = await run(TWO_STEPS, 'full', '--converse')
    await untilFirstStep(lab)
    await untilToolTold(world, id)
    const { agent_session_id } = await untilSession(world, id)
    await world.ok(['send', id, 'DO:text{heard} said meanwhile'])
    await killAgent(world, id)
    const task = await until(
      world,
      id,
      'all is done',
      ({ phase, inputs }) => phase === 'idle' && inputs.length === 3 && inputs.every(({ done }) => done),
    )
    expectTwoSteps(lab)
    expect(task.agent_session_id).toBe(agent_session_id)
    const said = ['in two steps', CONTINUATION, 'said meanwhile']
    const order = lastTurns(lab).flatMap(({ role, text }) =>
      role === 'user' ? said.filter((words) => text.includes(words)) : [],
    )
    expect(order).toEqual(said)
    await world.ok(['send', id, '--end'])
    await world.untilStatus(id, 'COMPLETED', PATIENCE_MS)
  },
)
