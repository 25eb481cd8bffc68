import { expect, test } from 'vitest'
import { placeOf, placeText } from '../../../src/domain/journal/place.ts'
import { asNodeId } from '../../../src/domain/names/ids.ts'

const place = { generation: 'ab12', at: { [asNodeId('node-a')]: 7, [asNodeId('node-b')]: 0 } }

test('a place comes back from its text, which is fit for a header and an address', () => {
  const text = placeText(place)
  expect(text).toMatch(/^[\w-]+$/)
  expect(placeOf(text)).toEqual(place)
})

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
test.each([
  '',
  '0',
  '0.5',
  'not a place',
  encoded(null),
  encoded({}),
  encoded(['g']),
  encoded([1, {}]),
  encoded(['g', []]),
  encoded(['g', { n: -1 }]),
  encoded(['g', { n: 1.5 }]),
  encoded(['g', { n: '1' }]),
])('%j is no place', (text) => {
  expect(() => placeOf(text)).toThrowError(expect.objectContaining({ code: 'INVALID_REQUEST' }))
})
