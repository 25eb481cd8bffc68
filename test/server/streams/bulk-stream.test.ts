import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { HoldfastError } from '../../../src/domain/errors.ts'
import { asTaskId } from '../../../src/domain/names/ids.ts'
import type { ServerContext } from '../../../src/server/context.ts'
import { bulkStream } from '../../../src/server/streams/bulk-stream.ts'

const ids = ['a', 'b', 'c'].map((name) => asTaskId(`20251118-120000-${name}`))

/** The daemon stops as soon as the order for `stopAt` was given. */
async function ordered(stopAt?: string, fails?: string) {
  const stopping = new AbortController()
  const give = async (id: string) => {
    if (id === stopAt) stopping.abort()
    if (id === fails) throw new HoldfastError('STORE_LOCKED', 'locked')
    return async () => id
  }
  const app = new Hono()
  app.post('/', (c) =>
    bulkStream(c, { ids, give, first: ['gate'] }, { stopping: stopping.signal } as ServerContext),
  )
  app.onError((error, c) => c.json({ code: (error as { code?: string }).code, message: error.message }, 503))
  return await app.request('/', { method: 'POST' })
}

test('in one piece, everything that was done is told', async () => {
  expect(await (await ordered()).json()).toEqual({ results: ['gate', ...ids], failures: [] })
})

test('a daemon that stops in the middle does not say that all is done', async () => {
  const answer = await ordered(ids[0])
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({
    code: 'DAEMON_UNREACHABLE',
    message: expect.stringMatching(
      /^The daemon is stopping: \d of 3 sessions were handled\. Send the request again for the others\.$/,
    ),
  })
})

test('a daemon that stops in the middle does not count a failure as handled', async () => {
  const answer = await ordered(ids[2], ids[1])
  expect(await answer.json()).toMatchObject({
    message: expect.stringMatching(
      /^The daemon is stopping: [0-2] of 3 sessions were handled, 1 failed\. Send the request again for the others\.$/,
    ),
  })
})
