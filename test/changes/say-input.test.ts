import { expect, test } from 'vitest'
import { sayInput } from '../../src/changes/say-input.ts'
import { asRunId, asTaskId } from '../../src/domain/names/ids.ts'

test.each([
  ['prompt', true],
  ['continuation', true],
  ['answer', false],
  ['end', false],
  ['finish', false],
] as const)('what begins a turn voids the result: %s', (kind, voidsResult) => {
  const to = { runId: asRunId('r'), at: 1, written: null }
  expect(sayInput({ taskId: asTaskId('t'), number: 1, kind }, to)).toMatchObject({ voidsResult })
})
