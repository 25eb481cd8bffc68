// Prompts that an agent tells it heard, and that nobody sent through Holdfast.
import { expect, test } from 'vitest'
import { sendPrompt } from '../../../src/delivery/inputs/send-prompt.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { notePersonPrompts } from '../../../src/supervisor/reading/person-prompts.ts'
import { readyRuntime } from '../../helpers/runtime-in-time.ts'

const MINUTE = 60_000
const heard = (...texts: string[]): AgentSays[] => texts.map((text) => ({ kind: 'heard', ref: null, text }))

async function hearing() {
  const world = await readyRuntime()
  const { core, id } = world
  return {
    ...world,
    hears: async (...texts: string[]) => {
      const watch = core.watched.get(id)
      if (watch === undefined) throw new Error('it has no run')
      await notePersonPrompts(heard(...texts), await core.store.inputs(id), watch, core)
    },
    noted: async () => {
      const rows = await core.store.audits({ taskId: id, kind: 'operator_prompted' })
      return rows.map(({ detail }) => detail).reverse()
    },
  }
}

test('all that a person says is noted, without secrets, and the visit ends when they leave the keys alone', async () => {
  const it = await hearing()
  it.terminal.personTypes(it.id)
  await it.hears('one', 'two', 'two', 'token=abcdef123456')
  expect(await it.noted()).toEqual(['one', 'two', 'two', 'token=[redacted]'])
  expect((await it.runtime()).operatorBusy).toBe(1)
  await it.clock.pass(MINUTE)
  expect((await it.runtime()).operatorBusy).toBe(0)
  expect(await it.core.store.audits({ taskId: it.id, kind: 'operator_left' })).toHaveLength(1)
})

test('what Holdfast said is not noted, and nothing is while nobody is attached', async () => {
  const it = await hearing()
  await it.hears('a helper of the agent is done')
  await sendPrompt(await it.task(it.id), 'review this', 'ada', it.core)
  await it.clock.passUntil('the prompt', () => it.agent.heard.length === 1, MINUTE)
  it.terminal.personTypes(it.id)
  await it.hears(it.agent.heard[0]?.text ?? '')
  expect(await it.noted()).toEqual([])
})
