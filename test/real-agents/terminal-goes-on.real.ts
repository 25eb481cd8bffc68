// Each real agent that lives on in its terminal after its turn was stopped, failed or met a limit: it goes on there.
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import type { AgentKind } from './agent-home.ts'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { PATIENCE_MS, recoveringWith, saidTo, until, untilPhase } from './recovery-world.ts'
import { interrupt, step, untilStep } from './terminal-steps.ts'

const lab = useLab()
const kinds = kindsThat(({ can }) => can.modes.includes('interactive'))

test.each(kinds)(
  '%s goes on in its terminal: stopped before its first word, stopped in a tool, refused by its model (not OpenCode), at a limit',
  { timeout: 5 * PATIENCE_MS },
  goesOnInItsTerminal,
)

/** OpenCode itself tries for minutes what its model refuses: terminal-goes-on.slow.ts waits for that. */
const refuses = (kind: AgentKind) => kind !== 'opencode'

async function goesOnInItsTerminal(kind: AgentKind): Promise<void> {
  const { world, run } = await recoveringWith(kind, lab, 'quiet.window: 1s\n')
  const goOn = (id: string) => world.ok(['answer', id, 'resume'])
  lab.answer({ verb: 'hang', argument: '600' })
  const steps = [1, 2, 3, 4].map(step).join(' ')
  const id = await run(`${steps} the work`, 'full', '--mode', 'interactive')
  await waitFor('its model to be asked', () => saidTo(lab, 'the work') === 1, PATIENCE_MS)
  await untilPhase(world, id, 'working')
  await interrupt(kind, world, id)
  lab.answer(null)
  await goOn(id)
  await untilStep(world, lab, id, 1)
  expect(saidTo(lab, 'the work')).toBe(1)
  const { run_id } = await world.status(id)

  await interrupt(kind, world, id)
  await goOn(id)
  await untilStep(world, lab, id, 2)

  await interrupt(kind, world, id)
  if (refuses(kind)) lab.answer({ verb: 'http', argument: '500' })
  await goOn(id)
  if (refuses(kind)) await until(world, id, 'a failed turn', ({ retries }) => retries > 0)
  lab.answer(null)
  await untilStep(world, lab, id, 3)

  await interrupt(kind, world, id)
  lab.answer({ verb: 'usage', argument: '7200' })
  await goOn(id)
  await untilPhase(world, id, 'parked')
  lab.answer(null)
  await world.ok(['unpark', id])
  await untilStep(world, lab, id, 4)
  expect((await world.status(id)).run_id).toBe(run_id)
}
