import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { isHoldfastError } from '../../../src/domain/errors.ts'
import { checkQuery } from '../../../src/server/contract/check-query.ts'

const app = new Hono()
app.use(checkQuery)
app.all('*', (c) => c.text('reached'))
app.onError((error, c) => c.text(isHoldfastError(error) ? `${error.code}: ${error.message}` : 'bug', 400))
const ask = async (path: string, method = 'GET') => (await app.request(path, { method })).text()

test('a query field that is spelled wrong is refused, with the one that was meant', async () => {
  expect(await ask('/api/tasks?staus=FAILED')).toMatch(
    /^INVALID_REQUEST: 'staus' is no query field of this address\. Did you mean 'status'\? It knows status, tag, /,
  )
  expect(await ask('/api/tasks/some-id?x=1')).toBe(
    "INVALID_REQUEST: 'x' is no query field of this address. It knows no query fields.",
  )
  expect(await ask('/api/tasks?staus=FAILED', 'HEAD')).toBe('')
  expect((await app.request('/api/tasks?staus=FAILED', { method: 'HEAD' })).status).toBe(400)
})

test.each(['/api/tasks?status=FAILED&limit=2', '/api/tasks/', '/api/tasks/some-id', '/api/events?after=x'])(
  '%s is let through',
  async (path) => expect(await ask(path)).toBe('reached'),
)

test('addresses of the page may have any query', async () => {
  expect(await ask('/tasks?view=board')).toBe('reached')
})
