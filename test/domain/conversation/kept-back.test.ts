import { expect, test } from 'vitest'
import { keptSince } from '../../../src/domain/conversation/kept-back.ts'

test('a reason keeps its beginning for as long as it stays', () => {
  const first = keptSince(null, { kind: 'draft', text: 'hel' }, 1000)
  expect(keptSince(first, { kind: 'draft', text: 'hello' }, 2000)).toEqual({
    kind: 'draft',
    text: 'hello',
    since: 1000,
  })
  expect(keptSince(first, { kind: 'history' }, 3000)).toEqual({ kind: 'history', since: 3000 })
})
