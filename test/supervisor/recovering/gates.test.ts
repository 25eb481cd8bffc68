import { expect, test } from 'vitest'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { taskTerms } from '../../../src/domain/settings/task-terms.ts'
import type { Gate } from '../../../src/ports/store/gates.ts'
import { gateFor } from '../../../src/supervisor/recovering/gates.ts'
import type { Core } from '../../../src/supervisor/task/core.ts'
import { aGate } from '../../builders/gate.ts'
import { aTask } from '../../builders/task.ts'

const HOUR = 3_600_000
const task = aTask({ account: 'acme' })
const closed = aGate({ key: 'limit:acme', since: 1, until: 5 * HOUR })
const until = async (untilMs: number, before: Partial<Gate>) => {
  const core = {
    store: { gates: async () => [{ ...closed, ...before }] },
    ownTerms: taskTerms(mergeConfig([]).config),
  } as unknown as Core
  const park = { kind: 'park', goOn: { how: 'resume', say: null }, gate: 'limit', untilMs } as const
  return gateFor(park, task, 'limit', 0, core)
}

test('of several words on one limit the latest end counts', async () => {
  expect(await until(2 * HOUR, {})).toMatchObject({ until: 5 * HOUR, tries: 0 })
  expect(await until(7 * HOUR, {})).toMatchObject({ until: 7 * HOUR, tries: 0 })
})

test('who tried has the newest word, also when the limit ends earlier than was said', async () => {
  expect(await until(2 * HOUR, { canary: task.id })).toMatchObject({
    until: 2 * HOUR,
    tries: 1,
    canary: null,
  })
})
