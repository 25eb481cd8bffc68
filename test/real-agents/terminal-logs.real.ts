// Each real agent in its terminal, with a person at it: a short turn of theirs is noticed, and the log can be read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import { kindsThat, worldWith } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { agentOf, killAgent, PATIENCE_MS, recoveringWith, until, untilPhase } from './recovery-world.ts'
import { interrupt, press } from './terminal-steps.ts'

const lab = useLab()
const made = (name: string) => existsSync(join(lab.project, name))

async function type(world: World, id: string, text: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-l', '-t', `=${tmux_session}:`, text)
  await waitFor('what was typed', async () => (await world.ok(['screen', id])).includes(text.slice(-10)))
  await press(world, id, 'Enter')
}

const countOf = (text: string, part: string) => text.split(part).length - 1

test.each(kindsThat(({ can }) => can.modes.includes('interactive')))(
  '%s: a short turn after Esc answers the question, what is sent later is said, and the result of each is once in the log',
  { timeout: 4 * PATIENCE_MS },
  async (kind) => {
    const { world, run } = await worldWith(kind, lab)
    const id = await run(
      'DO:shell{touch begun.txt; while :; do sleep 0.1; done} the first',
      'full',
      '--mode',
      'interactive',
    )
    await waitFor('its tool', () => made('begun.txt'), PATIENCE_MS)
    await interrupt(kind, world, id)
    await untilPhase(world, id, 'stopped_by_person')
    // Esc may put the prompt back into the box.
    await press(world, id, 'C-u')
    await type(world, id, 'DO:text{typed and done} by hand')
    await until(
      world,
      id,
      'the person’s turn to be over',
      ({ phase, questions }) => phase === 'idle' && questions.length === 0,
    )

    await world.ok(['send', id, 'DO:write{later.txt} DO:text{sent and done} later'])
    await waitFor('what was sent', () => made('later.txt'), PATIENCE_MS)
    await until(world, id, 'it to be done', ({ phase, inputs }) => phase === 'idle' && inputs.at(-1)!.done)

    const log = await world.ok(['logs', id])
    for (const part of ['the first', 'by hand', 'typed and done', ' later', 'tool done'])
      expect(log, log).toContain(part)
    for (const result of ['typed and done', 'sent and done'])
      expect(countOf(log, `result: ${result}`), log).toBe(1)
    expect(log, log).not.toMatch(/\n\s*\n\s*\n/)
    expect(log.split('\n').length, log).toBeLessThan(40)
  },
)

test('opencode that comes back is not idle before its interface is there', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const { world, run } = await recoveringWith('opencode', lab)
  const id = await run('DO:text{ready} the first', 'full', '--mode', 'interactive')
  await untilPhase(world, id, 'idle')
  const first = await agentOf(world, id)
  await killAgent(world, id)
  const seen: string[] = []
  await until(world, id, 'the next run', ({ run_id }) => run_id !== null && run_id !== first.run)
  await until(world, id, 'it to be idle again', ({ phase }) => {
    if (phase !== null && seen.at(-1) !== phase) seen.push(phase)
    return phase === 'idle'
  })
  expect((await world.ok(['screen', id])).trim()).not.toBe('')
  expect(seen).toEqual(['starting', 'idle'])
  await world.ok(['send', id, 'DO:write{later.txt} more'])
  await waitFor('what was sent', () => made('later.txt'), PATIENCE_MS)
})
