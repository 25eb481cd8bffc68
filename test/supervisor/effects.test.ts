import { expect, test } from 'vitest'
import type { AgentDriver, AgentSays } from '../../src/ports/agent-driver.ts'
import { effectsOf } from '../../src/supervisor/effects.ts'

const driver = { sessionIdPattern: /^[a-f]{8}$/ } as AgentDriver
const nothing = { tokensIn: 0, tokensOut: 0, costUsd: 0 }
const usage = (tokensIn: number, tokensOut: number, cumulative?: boolean): AgentSays => ({
  kind: 'usage',
  tokensIn,
  tokensOut,
  costUsd: 0,
  cumulative,
})

test('turns are added up', () => {
  expect(effectsOf([usage(1, 2), usage(3, 4)], driver, nothing)).toMatchObject({ tokensIn: 4, tokensOut: 6 })
})

test('a sum over the session counts by what it exceeds the books', () => {
  const spent = { tokensIn: 100, tokensOut: 10, costUsd: 0 }
  expect(effectsOf([usage(120, 12, true), usage(150, 15, true)], driver, spent)).toMatchObject({
    tokensIn: 50,
    tokensOut: 5,
  })
  expect(effectsOf([usage(30, 3, true)], driver, spent)).toMatchObject({ tokensIn: 30, tokensOut: 3 })
})

test('what a hook or rule stopped is kept with its reason', () => {
  const says: AgentSays[] = [{ kind: 'blocked', tool: 'Bash', why: 'not on Fridays' }]
  expect(effectsOf(says, driver, nothing)).toMatchObject({ blocked: ['Bash: not on Fridays'] })
})
