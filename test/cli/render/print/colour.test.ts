import { expect, test } from 'vitest'
import { paintIf, wantsColour } from '../../../../src/cli/render/print/colour.ts'

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ TERM: 'dumb' }, true, false],
])('with %j and a terminal: %s, colour is %s', (env, isTerminal, wanted) => {
  expect(wantsColour(env, isTerminal)).toBe(wanted)
})

test('unpainted text is left alone', () => {
  expect(paintIf(false)('red', 'x')).toBe('x')
  expect(paintIf(true)('red', 'x')).toBe('\x1b[31mx\x1b[0m')
})
