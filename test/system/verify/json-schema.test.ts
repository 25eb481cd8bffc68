import { expect, test } from 'vitest'
import { schemaFailures, schemaProblem } from '../../../src/system/verify/json-schema.ts'

type Case = [schema: Record<string, unknown>, good: unknown[], bad: unknown[]]
const cases: Case[] = [
  [{ type: 'object' }, [{}], [[], null, 'x', 1, true]],
  [{ type: ['string', 'null'] }, ['x', null], [1, {}]],
  [{ type: 'integer' }, [1, -3, 2.0], [1.5, '1']],
  [{ type: 'array' }, [[]], [{}]],
  [{ enum: ['a', 1, null, { x: 1 }] }, ['a', 1, null, { x: 1 }], ['b', '1', { x: 2 }]],
  [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, 1]],
  [{ required: ['a', 'toString'] }, [{ a: 1, toString: 1 }, 'not an object'], [{ a: 1 }, {}]],
  [{ properties: { a: { type: 'string' } } }, [{}, { a: 'x' }, { b: 1 }], [{ a: 1 }]],
  [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }], [{ a: 1, b: 2 }]],
  [{ additionalProperties: { type: 'number' } }, [{ a: 1 }], [{ a: 'x' }]],
  [{ items: { minimum: 3 } }, [[3, 4], []], [[3, 2]]],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, 2]], [[], [1, 2, 3], [1, 1]]],
  [{ minLength: 2, maxLength: 3, pattern: '^a' }, ['ab', 'a\u{1f600}', 7], ['a', 'abcd', 'ba']],
  [{ exclusiveMinimum: 0, maximum: 5 }, [0.1, 5], [0, 5.1]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 1 }]],
  [{ allOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['x', 3], [2]],
  [{ oneOf: [{ type: 'integer' }, { minimum: 3 }] }, [1, 3.5], [4, 1.5]],
  [{ not: { type: 'null' } }, [1], [null]],
  [
    {
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    },
    [{ next: { next: {} } }],
    [{ next: { next: 1 } }],
  ],
  [
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 't',
      description: 'd',
      default: 1,
      format: 'date',
    },
    [1, 'anything'],
    [],
  ],
]

test.each(cases)('%j lets through %j and not %j', (schema, good, bad) => {
  expect(schemaProblem(schema)).toBeUndefined()
  for (const value of good) expect([value, schemaFailures(schema, value)]).toEqual([value, []])
  for (const value of bad) expect([value, schemaFailures(schema, value).length > 0]).toEqual([value, true])
})

test.each([
  [{ properties: { a: { requierd: [] } } }, 'unknown keyword: "requierd"'],
  [{ properties: [] }, 'properties must be object'],
  [{ anyOf: {} }, 'anyOf must be array'],
  [{ minimum: '3' }, 'minimum must be number'],
  [{ pattern: '(' }, 'Invalid regular expression'],
  [{ enum: 'a' }, 'enum must be array'],
  [{ items: 3 }, 'items must be object,boolean'],
  [{ $ref: 'https://example.org/x' }, "can't resolve reference"],
  [{ $ref: '#/$defs/none' }, "can't resolve reference"],
])('%j is refused: nothing is passed over in silence', (schema, words) => {
  expect(schemaProblem(schema)).toContain(words)
})

test('a value that is nested without end, and a schema that refers to itself, come to an end', () => {
  let deep: unknown = 1
  for (let n = 0; n < 100_000; n++) deep = [deep]
  const schema = { items: { $ref: '#' } }
  expect(schemaProblem(schema)).toBeUndefined()
  expect(schemaFailures(schema, deep).join()).toContain('is nested too deeply')
  expect(schemaFailures({ $ref: '#' }, 1).join()).toContain('is nested too deeply')
})

test('what is wrong is told with its place', () => {
  const schema = { properties: { a: { items: { type: 'string' } } }, additionalProperties: false }
  expect(schemaFailures(schema, { a: ['x', 1] })).toEqual(["'a.1' must be string"])
  expect(schemaFailures(schema, { b: 1 })).toEqual(["it must NOT have additional properties ('b')"])
})
