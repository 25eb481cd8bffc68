// Orders for a session whose agent has just ended, which nobody has looked at yet.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { HoldfastError } from '../../../src/domain/errors.ts'
import type { OrderKind } from '../../../src/domain/task/order.ts'
import { startCoreInTime } from '../../helpers/core-in-time.ts'

/** The agent finishes in the moment in which the order is stored. */
async function orderedAtEnd(kind: OrderKind) {
  const { core, supervisor, home, clock, creates, agentStarts, task } = await startCoreInTime()
  const id = await creates('x')
  await agentStarts(id)
  const { runId } = await task(id)
  const { order } = core.store
  core.store.order = async (one) => {
    core.store.order = order
    const result = { type: 'result', ok: true, text: 'done' }
    appendFileSync(`${home.run(runId!)}/events.jsonl`, `${JSON.stringify(result)}\n`)
    const exit = { code: 0, signal: null, at: clock.now(), boot_id: core.processes.bootId, hangup: false }
    mkdirSync(home.exits, { recursive: true })
    writeFileSync(`${home.exits}/${runId}.json`, JSON.stringify(exit))
    return order(one)
  }
  const settled = await supervisor.orders.give({ taskId: id, kind, by: 'ada', env: { PATH: '/bin' } })
  let outcome: { acted: boolean } | { code: string } | undefined
  void settled().then(
    (acted) => (outcome = { acted }),
    ({ code }: HoldfastError) => (outcome = { code }),
  )
  await clock.passUntil('the order to be settled', () => outcome !== undefined)
  await clock.passUntil('its tidying', async () => (await core.store.untidied()).length === 0)
  return { outcome, status: (await task(id)).status }
}

test('a kill does not take away that it finished', async () => {
  expect(await orderedAtEnd('kill')).toEqual({ outcome: { acted: false }, status: 'completed' })
})

test.each(['takeover', 'resume'] as const)('a %s is too late, and does not bring it back', async (kind) => {
  expect(await orderedAtEnd(kind)).toEqual({ outcome: { code: 'ORDER_TOO_LATE' }, status: 'completed' })
})
