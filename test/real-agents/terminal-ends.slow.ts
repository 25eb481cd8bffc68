// Each real agent, idle in its terminal: going down with it is not finishing.
import { expect, test } from 'vitest'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { agentOf, PATIENCE_MS, recoveringWith, saidTo, until, untilPhase } from './recovery-world.ts'

const lab = useLab()

test.each(kindsThat(({ can }) => can.modes.includes('interactive')))(
  '%s gets a new terminal when tmux dies, and its person is asked when they close it',
  { timeout: 4 * PATIENCE_MS },
  async (kind) => {
    const { world, run } = await recoveringWith(kind, lab)
    const id = await run('DO:text{ready} and rest', 'full', '--mode', 'interactive')
    await untilPhase(world, id, 'idle')
    const first = await agentOf(world, id)

    await world.tmux('kill-server')
    await until(world, id, 'another run', ({ run_id, phase }) => run_id !== first.run && phase === 'idle')
    expect(await world.status(id)).toMatchObject({ status: 'RUNNING', retries: 0, questions: [] })
    expect(saidTo(lab, 'and rest')).toBe(1)

    const { tmux_session } = await world.status(id)
    await world.tmux('kill-session', '-t', `=${tmux_session}`)
    const stopped = await untilPhase(world, id, 'stopped_by_person')
    expect(stopped.reason).toContain('its terminal was closed')
    expect(stopped.questions).toMatchObject([{ options: ['resume', 'close'] }])
    await world.ok(['answer', id, 'close'])
    await world.untilStatus(id, 'KILLED', PATIENCE_MS)
  },
)
