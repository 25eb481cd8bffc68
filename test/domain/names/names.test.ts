import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkName, checkTaskId, printable, taskIdAt } from '../../../src/domain/names/names.ts'

test.each(['a', 'grafana-validator', 'v1.2_x', '9lives'])('%s is a name', (name) => {
  expect(checkName('Role', name)).toBe(name)
})

test.each(['', '.', '..', 'a..b', '-x', 'a/b', 'a b', 'a\nb', 'ä', 'a;b', '$(x)', 'a\0', 'x'.repeat(65)])(
  '%j is no name',
  (name) => {
    expect(() => checkName('Role', name)).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }))
  },
)

test('the rule that a name breaks can be read in the error', () => {
  expect(() => checkName('Role', 'a..b')).toThrow(/^Role 'a\.\.b' .* must not contain '\.\.'/)
})

test.each(['../x', '20251118-153042-a/b', '20251118-153042-..', 'x', '', '20251118-153042-'])(
  '%j is no session id',
  (id) => {
    expect(() => checkTaskId(id)).toThrow(expect.objectContaining({ code: 'INVALID_ID' }))
  },
)

test('an id tells when and what, in UTC, and passes its own check', () => {
  const id = taskIdAt(Date.UTC(2025, 10, 18, 15, 30, 42), 'grafana-validator')
  expect(id).toBe('20251118-153042-grafana-validator')
  expect(checkTaskId(id)).toBe(id)
})

test('no control character survives into a message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => !/[\x00-\x1f\x7f-\x9f]/.test(printable(text))),
  )
})
