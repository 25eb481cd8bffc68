import { expect, test } from 'vitest'
import { driversByKind } from '../../src/agents/registry.ts'
import { scriptedDriver } from '../../src/agents/scripted/driver.ts'
import { HoldfastError } from '../../src/domain/errors.ts'

const scripted = scriptedDriver({ executable: ['scripted'] })
const drivers = driversByKind([scripted, { ...scripted, kind: 'claude' }])

function refusal(kind: string): HoldfastError {
  try {
    drivers.get(kind)
  } catch (error) {
    if (error instanceof HoldfastError) return error
  }
  throw new Error(`${kind} was not refused`)
}

test('a known kind gives its driver', () => {
  expect(drivers.get('scripted')).toBe(scripted)
  expect(drivers.kinds).toEqual(['scripted', 'claude'])
})

test.each([
  ['scriptd', 'scripted'],
  ['Claude', 'claude'],
  ['clade', 'claude'],
  ['script', 'scripted'],
])('%s is unknown, and %s is suggested', (kind, meant) => {
  expect(refusal(kind).code).toBe('AGENT_UNKNOWN')
  expect(refusal(kind).message).toBe(
    `There is no agent '${kind}'. Did you mean '${meant}'? Known: scripted, claude.`,
  )
})

test.each(['', 'gemini', 'toString', 'x'.repeat(100_000)])('nothing is suggested for %.20s', (kind) => {
  expect(refusal(kind).message).not.toContain('Did you mean')
  expect(refusal(kind).message.length).toBeLessThan(200)
})
