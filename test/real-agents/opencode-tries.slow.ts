// OpenCode tries again by itself for more than a minute, in silence; what it says when it gives up.
import { expect, test } from 'vitest'
import { opencodeDriver } from '../../src/agents/opencode/driver.ts'
import { useLab } from './lab.ts'
import { failureOf } from './outcome.ts'

const lab = useLab()
const opencode = opencodeDriver({ bridge: ['bridge'] })

test('it gives up after its tries, and says why', async () => {
  // The first run makes OpenCode's database; of two that make it at once, one may fail.
  await lab.runPlan(opencode, lab.request())
  const nowhere = { provider: { lab: { options: { baseURL: 'http://127.0.0.1:9/v1' } } } }
  const [failing, alone] = await Promise.all([
    lab.runPlan(opencode, lab.request({ prompt: 'DO:http{500}' })),
    lab.runPlan(opencode, lab.request(), { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(nowhere) } }),
  ])
  expect([failing, alone].map((outcome) => failureOf(outcome, opencode))).toEqual([
    'transient',
    'environment',
  ])
  expect(failing.says.find((said) => said.kind === 'session')?.id).toMatch(opencode.sessionIdPattern)
})
