import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HoldfastError } from '../../../src/domain/errors.ts'
import { commandLine, quote } from '../../../src/tmux/program/quote.ts'
import { startTerminal } from '../../helpers/tmux-server.ts'
import { recorded, recorder } from '../recorder.ts'

const hostile = fc.constantFrom(
  ';',
  'a;',
  '\\;',
  '#{pid}',
  '#(touch x)',
  '##',
  '$HOME',
  '~',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '%if',
  '\n',
  '\r',
  '',
  '-x',
  '😀',
  '\\101',
)
const word = fc.oneof(
  hostile,
  fc.string({ unit: 'binary' }),
  fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join('')),
)
const withoutNul = word.map((text) => text.replaceAll('\0', ''))

test('any arguments arrive in the child byte for byte', async () => {
  const { terminal, dir } = await startTerminal()
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(withoutNul, { minLength: 1, maxLength: 8 }), async (args) => {
      const name = `q-${++count}`
      const file = join(dir, name)
      await terminal.open({ task: name, mark: name, argv: [...recorder(file), ...args], cwd: dir })
      expect(await recorded(file)).toEqual(args)
      await terminal.close(name, name)
    }),
    { numRuns: 60 },
  )
})

test('a quoted word is one line of plain ASCII', () => {
  fc.assert(
    fc.property(withoutNul, (text) => {
      expect(quote(text)).toMatch(/^"[\x20-\x7e]*"$/)
    }),
  )
})

test('a NUL byte is refused, because it would cut the line short', () => {
  expect(() => quote('a\0b')).toThrow(HoldfastError)
})

test('only the semicolons between commands separate them', () => {
  expect(commandLine(['a', ';'], ['b'])).toBe('"a" "\\073" ; "b"')
})
