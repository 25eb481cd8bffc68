import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseStep, scriptOf } from '../../../../../src/agents/scripted/program/script/parse-script.ts'
import { stepTable } from '../../../../../src/agents/scripted/program/script/step-table.ts'

const noFiles = () => undefined

test('only lines that begin with do: are steps, in their order', () => {
  const prompt =
    '# Persona\nYou do: nothing.\ndo: say one\n  do: say indented\n> do: say quoted\r\ndo:say two\r\n'
  expect(scriptOf(prompt, noFiles)).toEqual(['say one', 'say two'])
})

test('a script file stands for its steps, without comments and empty lines', () => {
  const files: Record<string, string> = { 'a.txt': '# first\nsay one\n\n  wait 1  \r\nscript b.txt\n' }
  const steps = scriptOf('do: say zero\ndo: script a.txt\ndo: say end', (path) => files[path])
  expect(steps).toEqual(['say zero', 'say one', 'wait 1', 'script b.txt', 'say end'])
})

test('a script file that cannot be read leaves its step', () => {
  expect(scriptOf('do: script gone.txt', noFiles)).toEqual(['script gone.txt'])
})

const readable: [string, object][] = [
  ['say  hello  world', { do: 'say', text: 'hello  world' }],
  ['write a/b.txt some text', { do: 'write', path: 'a/b.txt', text: 'some text' }],
  ['append a.txt  indented', { do: 'append', path: 'a.txt', text: ' indented' }],
  ['result {"ok": true}', { do: 'result', text: '{"ok": true}' }],
  ['tool 1.5', { do: 'tool', seconds: 1.5, name: 'sleep' }],
  ['tool 2 npm test', { do: 'tool', seconds: 2, name: 'npm test' }],
  ['tool-detached 60', { do: 'tool-detached', seconds: 60 }],
  [`run sh -c "exit 3" 'a b'`, { do: 'run', program: 'sh', args: ['-c', 'exit 3', 'a b'] }],
  ['ask Go on? | yes | no |', { do: 'ask', question: 'Go on?', options: ['yes', 'no'] }],
  ['ask Your name?', { do: 'ask', question: 'Your name?', options: [] }],
  ['crash 7', { do: 'crash', code: 7, signal: null }],
  ['crash SIGKILL', { do: 'crash', code: null, signal: 'SIGKILL' }],
  ['crash segv', { do: 'crash', code: null, signal: 'SIGSEGV' }],
  ['crash-lives 2 9', { do: 'crash-lives', lives: 2, code: 9, signal: null }],
  ['limit-until /a 60', { do: 'limit-until', path: '/a', seconds: 60 }],
  ['fail-as permanent Not logged in', { do: 'fail-as', failure: 'permanent', text: 'Not logged in' }],
  ['fail-until x limit No', { do: 'fail-until', path: 'x', failure: 'limit', text: 'No' }],
  ['hang', { do: 'hang' }],
  ['flood 1000', { do: 'flood', bytes: 1000 }],
  ['usage 10 20 0.5', { do: 'usage', tokensIn: 10, tokensOut: 20, costUsd: 0.5 }],
  ['env HOME', { do: 'env', name: 'HOME' }],
]
test.each(readable)('%s is read', (line, step) => expect(parseStep(line)).toEqual(step))

const unreadable = [
  '', 'dance', '__proto__', 'constructor', 'toString x', 'say', 'write a.txt', 'wait', 'wait -1', 'wait 1e9',
  'wait soon', 'wait 99999999', 'crash', 'crash 256', 'crash -1', 'crash SIGCHLD', 'hang on', 'flood 1.5',
  'usage 1 2', 'usage 1 2 3 4', 'usage 1.5 2 3', 'env A=B', 'ask', 'ask | yes', 'run', 'limit',
  'limit-until x', 'limit-until x soon', 'crash-lives 2', 'crash-lives two 9', 'fail-as dance No', 'fail-as limit',
  'fail-until x', 'fail-until x limit', 'freeze up', 'forget it',
] // biome-ignore format: one glance is enough
test.each(unreadable)('%j cannot be read, and says how it is written', (line) => {
  expect(parseStep(line)).toMatchObject({
    do: 'unreadable',
    why: expect.stringMatching(/no step|is written/),
  })
})

test('any text whatsoever is read without an exception', () => {
  const names = Object.keys(stepTable)
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(fc.constantFrom(...names), fc.string({ unit: 'binary' }))
      .map(([name, rest]) => `${name} ${rest}`),
    fc.tuple(fc.constantFrom(...names), fc.double()).map(([name, number]) => `${name} ${number}`),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const steps = scriptOf(lines.map((each) => `do: ${each}`).join('\n'), (path) => path)
      for (const step of steps) expect([...names, 'unreadable']).toContain(parseStep(step).do)
    }),
  )
})
