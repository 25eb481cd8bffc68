import { expect, test } from 'vitest'
import { splitCommand } from '../../../src/domain/text/split-command.ts'

test.each([
  ['npm test', ['npm', 'test']],
  ['  a\t b \n c ', ['a', 'b', 'c']],
  [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
  [`a '' "" b`, ['a', '', '', 'b']],
  [`a'b'"c"d`, ['abcd']],
  [`a '"$(x)\\' "it's" "q\\"q" "\\n"`, ['a', '"$(x)\\', "it's", 'q"q', '\\n']],
  ["sh -c 'a && b | c'", ['sh', '-c', 'a && b | c']],
  ['a \\$HOME \\;', ['a', '$HOME', ';']],
  ['eslint src/*.ts', ['eslint', 'src/*.ts']],
])('%j is split like a command line', (text, argv) => {
  expect(splitCommand(text)).toEqual(argv)
})

test.each(['a | b', 'a; b', 'a && b', 'a > b', 'a < b', 'a $HOME', 'a `b`', 'a $(b)', '(a)'])(
  '%j wants a shell, and there is none',
  (text) => {
    expect(() => splitCommand(text)).toThrow('no shell runs it')
  },
)

test.each(['', '   ', "''", "a 'b", 'a "b', 'a\\'])('%j is no command', (text) => {
  expect(() => splitCommand(text)).toThrow()
})
