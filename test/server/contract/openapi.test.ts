import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { serverApp } from '../../../src/server/app.ts'
import type { ServerContext } from '../../../src/server/context.ts'
import { openApi, operations } from '../../../src/server/contract/openapi.ts'

const document = openApi('1.2.3') as {
  paths: Record<string, Record<string, { operationId: string }>>
  components: { schemas: Record<string, unknown> }
}

/** Routes are only put together here, and not called. */
const unused: unknown = new Proxy(() => unused, { get: (_, name) => (name === 'then' ? undefined : unused) })
const app = serverApp(unused as ServerContext)

test('every route that the server has is in the document, and no other', () => {
  const registered = app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
  const served = new Set(
    registered.map(({ method, path }) => `${method} ${path.replace(/\/$/, '').replace(':id', '{id}')}`),
  )
  const told = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(told.sort()).toEqual([...served].sort())
})

test('a linter for OpenAPI finds nothing to say', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    // The daemon of the reader's own machine is the only server there is.
    rules: { 'no-server-example.com': 'off' },
  })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('every operation has a name of its own', () => {
  const ids = Object.values(operations).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('answers have room for fields that later versions add, and requests have none', () => {
  expect(document.components.schemas.TaskJson).not.toHaveProperty('additionalProperties')
  expect(document.components.schemas.killTaskRequest).toMatchObject({ additionalProperties: false })
  const { components } = openApi('1.2.3', { strict: true }) as typeof document
  expect(components.schemas.TaskJson).toMatchObject({ additionalProperties: false })
})
