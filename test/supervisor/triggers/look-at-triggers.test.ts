import { expect, test } from 'vitest'
import { signsOf } from '../../../src/supervisor/triggers/look-at-triggers.ts'
import { RUN_ID } from '../../builders/ids.ts'
import { anInput } from '../../builders/input.ts'
import { aScreenSeen } from '../../builders/screen-seen.ts'
import { aWatch } from '../../builders/watch.ts'

test('a screen at work proves a turn for what was typed, not for what was written as a line', () => {
  const watch = aWatch({ screen: aScreenSeen({ worked: true }) })
  const typed = anInput({ runId: RUN_ID, saidAt: 5 })
  const written = { ...typed, line: '{}\n', offset: 0 }
  expect(signsOf(typed, watch).hasTurnBegun).toBe(true)
  expect(signsOf(written, watch).hasTurnBegun).toBe(false)
  expect(signsOf({ ...written, heardAt: 6 }, watch).hasTurnBegun).toBe(true)
})
