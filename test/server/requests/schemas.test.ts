import type { Context } from 'hono'
import { expect, test } from 'vitest'
import * as schemas from '../../../src/server/requests/schemas.ts'

const {
  archiveSchema,
  body,
  createTaskSchema,
  forceSchema,
  heartbeatSchema,
  inputSchema,
  killSchema,
  monitorSchema,
  nothingSchema,
  trustSchema,
} = schemas
const asked = (json: unknown) => ({ get: () => json }) as unknown as Context
const task = { prompt: 'p', dir: '/d' }
const monitor = { ids: ['a'], wait_seconds: 1 }

test.each([
  [createTaskSchema, null, 'The request must be an object, not null.'],
  [createTaskSchema, [], 'The request must be an object, not a list.'],
  [createTaskSchema, { dir: '/d' }, "'prompt' is missing: it must be a string."],
  [createTaskSchema, { ...task, prompt: null }, "'prompt' must be a string, not null."],
  [createTaskSchema, { ...task, dir: 'd' }, "'dir' must begin with '/'."],
  [createTaskSchema, { ...task, agent: '' }, "'agent' must have at least 1 character."],
  [createTaskSchema, { ...task, agent: 'x'.repeat(201) }, "'agent' must have at most 200 characters."],
  [createTaskSchema, { ...task, mode: 'x' }, `'mode' must be "headless" or "interactive".`],
  [createTaskSchema, { ...task, converse: 'yes' }, "'converse' must be true or false, not a string."],
  [createTaskSchema, { ...task, promt: 'x' }, "The request has an unknown field: 'promt'."],
  [createTaskSchema, { ...task, a: 1, b: 2 }, "The request has unknown fields: 'a', 'b'."],
  [
    createTaskSchema,
    { ...task, ...Object.fromEntries([...'abcdefg'].map((name) => [name, 1])) },
    "The request has unknown fields: 'a', 'b', 'c', 'd', 'e', ….",
  ],
  [createTaskSchema, { ...task, '\u001b[2J': 1 }, "The request has an unknown field: '?[2J'."],
  [createTaskSchema, { ...task, tags: [1] }, "'tags.0' must be a string, not a number."],
  [createTaskSchema, { ...task, env: { A: 1 } }, "'env.A' must be a string, not a number."],
  [createTaskSchema, { ...task, env: [] }, "'env' must be an object, not a list."],
  [
    createTaskSchema,
    { ...task, meta: { '': 'x' } },
    "A name in 'meta' is not valid: it must have at least 1 character.",
  ],
  [createTaskSchema, { ...task, max_duration_seconds: 0 }, "'max_duration_seconds' must be more than 0."],
  [monitorSchema, { ...monitor, wait_seconds: 61 }, "'wait_seconds' must be at most 60."],
  [monitorSchema, { ...monitor, ids: [] }, "'ids' must have at least 1 entry."],
  [monitorSchema, { ...monitor, ack: 1.5 }, "'ack' must be a whole number, not 1.5."],
  [monitorSchema, { ...monitor, ack: -1 }, "'ack' must be at least 0."],
  [
    trustSchema,
    { dir: '/d', files: [{ file: '/f', sha256: 'ab' }] },
    "'files.0.sha256' must have exactly 64 characters.",
  ],
  [
    trustSchema,
    { dir: '/d', files: [{ file: '/f', sha256: 'a'.repeat(64), by: 1 }] },
    "'files.0' has an unknown field: 'by'.",
  ],
  [killSchema, { reason: 1 }, "'reason' must be a string, not a number."],
  [nothingSchema, { force: true }, "The request has an unknown field: 'force'."],
  [inputSchema, {}, "The request must have one of these fields: 'prompt', 'end'."],
  [inputSchema, { promt: 'x' }, "The request must have one of these fields: 'prompt', 'end'."],
  [inputSchema, 5, 'The request must be an object, not a number.'],
  [inputSchema, { prompt: 1 }, "'prompt' must be a string, not a number."],
  [inputSchema, { end: false }, "'end' must be true."],
  [
    inputSchema,
    { prompt: 'x', end: true },
    "The request may have only one of these fields: 'end', 'prompt'.",
  ],
  [inputSchema, { prompt: 'x', to: 1 }, "The request has an unknown field: 'to'."],
  [inputSchema, { prompt: 'x', end: true, to: 1 }, "The request has unknown fields: 'end', 'to'."],
  [inputSchema, { prompt: 'x', force: { why: 'now' } }, "'force.operator' is missing: it must be a string."],
  [inputSchema, { prompt: 'x', force: { operator: 'ann' } }, "'force.why' is missing: it must be a string."],
  [forceSchema, { operator: 'ann', why: '' }, "'why' must have at least 1 character."],
  [forceSchema, { operator: '', why: 'now' }, "'operator' must have at least 1 character."],
  [heartbeatSchema, { status: 'busy' }, `'status' must be "active" or "idle".`],
  [archiveSchema, {}, "The request must have one of these fields: 'ids', 'older_than_seconds'."],
  [archiveSchema, { ids: 'a' }, "'ids' must be a list, not a string."],
  [archiveSchema, { ids: [1] }, "'ids.0' must be a string, not a number."],
  [archiveSchema, { older_than_seconds: -1 }, "'older_than_seconds' must be at least 0."],
])('a refusal says what was wrong, and where', async (schema, json, message) => {
  await expect(body(asked(json), schema as typeof killSchema)).rejects.toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST', message }),
  )
})

test('what may be left out or be nothing, may', async () => {
  expect(await body(asked(task), createTaskSchema)).toEqual(task)
  const full = { ...task, verify: null, max_duration_seconds: null, meta: { a: '' }, env: {}, tags: [] }
  expect(await body(asked(full), createTaskSchema)).toEqual(full)
  expect(await body(asked({ ids: ['a'] }), archiveSchema)).toEqual({ ids: ['a'] })
})
