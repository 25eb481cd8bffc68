import type { Context } from 'hono'
import { expect, test } from 'vitest'
import * as schemas from '../../../src/server/requests/schemas.ts'

const { archiveSchema, body, createTaskSchema, killSchema, monitorSchema, nothingSchema, trustSchema } =
  schemas
const asked = (json: unknown) => ({ get: () => json }) as unknown as Context
const task = { prompt: 'p', dir: '/d' }
const monitor = { ids: ['a'], wait_seconds: 1 }

test.each([
  [createTaskSchema, null, 'The request: Invalid input: expected object, received null.'],
  [createTaskSchema, { dir: '/d' }, "'prompt': Invalid input: expected string, received undefined."],
  [createTaskSchema, { ...task, dir: 'd' }, `'dir': Invalid string: must start with "/".`],
  [createTaskSchema, { ...task, agent: '' }, "'agent': Too small: expected string to have >=1 characters."],
  [
    createTaskSchema,
    { ...task, agent: 'x'.repeat(201) },
    "'agent': Too big: expected string to have <=200 characters.",
  ],
  [
    createTaskSchema,
    { ...task, mode: 'x' },
    `'mode': Invalid option: expected one of "headless"|"interactive".`,
  ],
  [createTaskSchema, { ...task, promt: 'x' }, `The request: Unrecognized key: "promt".`],
  [createTaskSchema, { ...task, a: 1, b: 2 }, `The request: Unrecognized keys: "a", "b".`],
  [createTaskSchema, { ...task, tags: [1] }, "'tags.0': Invalid input: expected string, received number."],
  [createTaskSchema, { ...task, env: { A: 1 } }, "'env.A': Invalid input: expected string, received number."],
  [
    createTaskSchema,
    { ...task, max_duration_seconds: 0 },
    "'max_duration_seconds': Too small: expected number to be >0.",
  ],
  [monitorSchema, { ...monitor, wait_seconds: 61 }, "'wait_seconds': Too big: expected number to be <=60."],
  [monitorSchema, { ...monitor, ids: [] }, "'ids': Too small: expected array to have >=1 items."],
  [monitorSchema, { ...monitor, ack: 1.5 }, "'ack': Invalid input: expected int, received number."],
  [monitorSchema, { ...monitor, ack: -1 }, "'ack': Too small: expected number to be >=0."],
  [
    trustSchema,
    { dir: '/d', files: [{ file: '/f', sha256: 'ab' }] },
    "'files.0.sha256': Too small: expected string to have exactly 64 characters.",
  ],
  [killSchema, { reason: 1 }, "'reason': Invalid input: expected string, received number."],
  [nothingSchema, { force: true }, `The request: Unrecognized key: "force".`],
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
