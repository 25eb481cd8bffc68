import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spokenText } from '../../../src/domain/conversation/spoken-text.ts'

test.each([
  ['fix it', 'fix it'],
  ['  two\nlines\twith a tab  ', 'two\nlines\twith a tab'],
  ['!rm -rf /', 'Task: !rm -rf /'],
  ['\n /quit', 'Task: /quit'],
  ['see @README', 'see @README '],
  ['mail a@b then go', 'mail a@b then go'],
  ['a\r\nb\rc', 'a\nb\nc'],
  ['out\u001b[201~\rof it\u0000', 'out[201~\nof it'],
])('%j is said as %j', (prompt, said) => {
  expect(spokenText(prompt)).toBe(said)
})

test('whatever it was, it is text, begins no command, and stays the same when said again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (prompt) => {
      const said = spokenText(prompt)
      expect(said).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
      expect(said).not.toMatch(/^\s*[!/]/)
      expect(said).not.toMatch(/@\S*$/)
      expect(spokenText(said)).toBe(said)
    }),
  )
})
