import { expect, test } from 'vitest'
import { readJson } from '../../../src/server/requests/read-json.ts'

test.each([
  ['side by side', '{"a":1,"a":2}'],
  ['with an escape', '{"a":1,"\\u0061":2}'],
  ['in an inner object', '[{"b":{"a":1,"a":2}}]'],
  ['with many blanks before its colon', `{"a":1,"a"${' '.repeat(5000)}:2}`],
  ['with line breaks before its colon', `{"a"${'\n\t'.repeat(200)}:1,"a":2}`],
])('a field that stands twice is refused: %s', (_, text) => {
  expect(() => readJson(text)).toThrow('The request has the field "a" twice.')
})

test.each(['{"a":{"a":1}}', '[{"a":1},{"a":2}]', '{"a":"a","b":"a"}', `{"a":["b"${' '.repeat(200)},"b"]}`])(
  'a field of another object, or a text that is no field, is not taken for a second one: %#',
  (text) => {
    expect(readJson(text)).toEqual(JSON.parse(text))
  },
)
