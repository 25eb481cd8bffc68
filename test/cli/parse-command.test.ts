import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Command } from '../../src/cli/command.ts'
import { commands, globalOptions } from '../../src/cli/commands.ts'
import { parseCommand } from '../../src/cli/parse-command.ts'
import { HoldfastError } from '../../src/domain/errors.ts'

const table: readonly Command[] = commands
const usage = (message: string | RegExp) =>
  expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) })

/** A command line as a shell would split it, double quotes only. Where its answer goes is no word of it. */
const words = (line: string) =>
  [...line.replace(/ > \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)

function parsed(...argv: string[]) {
  const found = parseCommand(argv)
  if (found.kind !== 'command') throw new Error(`parsed as ${found.kind}`)
  return { name: found.command.name, args: found.args, options: found.options }
}

test.each(table.flatMap(({ name, examples }) => examples.map((line) => ({ name, line }))))(
  'the example `$line` parses as $name',
  ({ name, line }) => {
    const [program, ...argv] = words(line)
    expect(program).toBe('holdfast')
    expect(parsed(...argv).name).toBe(name)
  },
)

test('options are read before and after the command, with `=`, short and grouped', () => {
  expect(parsed('--home', '/h', '--json', 'list', '--status=FAILED', '-t', 'x').options).toMatchObject({
    home: '/h',
    json: true,
    status: 'FAILED',
    tag: 'x',
    'project-only': false,
  })
  expect(parsed('run', '-wt', 'a', '-tb', 'do', 'it')).toMatchObject({
    args: { prompt: ['do', 'it'] },
    options: { wait: true, tag: ['a', 'b'] },
  })
})

test('after `--` everything is an argument', () => {
  expect(parsed('run', '--', '--json', '-x').args).toEqual({ prompt: ['--json', '-x'] })
})

test('two words name a command of a group', () => {
  expect(parsed('workspace', 'add', '.')).toMatchObject({ name: 'workspace add', args: { dir: '.' } })
  expect(parsed('completion', 'ids').name).toBe('completion ids')
  expect(parsed('completion', 'fish')).toMatchObject({ name: 'completion', args: { shell: 'fish' } })
})

test.each([
  ['90s', 90],
  ['30m', 1800],
  ['2h', 7200],
  ['1h30m', 5400],
  ['1500ms', 2],
  ['0', null],
  ['none', null],
])('--max-duration %s is %s seconds', (text, seconds) => {
  expect(parsed('run', 'x', '--max-duration', text).options['max-duration']).toBe(seconds)
})

test.each([
  ['15', 900],
  ['90s', 90],
  ['none', null],
])('monitor --timeout %s is %s seconds: a bare number is minutes', (text, seconds) => {
  expect(parsed('monitor', 'x', '--timeout', text).options.timeout).toBe(seconds)
})

test.each([
  [['lst'], "Unknown command 'lst'. Did you mean 'list'?"],
  [['frobnicate'], "Unknown command 'frobnicate'."],
  [['workspace'], "'workspace' needs one of: add, list, rm."],
  [['workspace', 'ad'], "Unknown command 'workspace ad'. Did you mean 'add'?"],
  [['--json'], 'No command given.'],
  [['list', '--statsu', 'x'], "Unknown option '--statsu'. Did you mean '--status'?"],
  [['list', '-q'], "Unknown option '-q'."],
  [['list', '--__proto__'], "Unknown option '--__proto__'."],
  [['status'], 'Missing argument <id>: holdfast status <id>'],
  [['create', 'role'], 'Missing argument <prompt-file>'],
  [['status', 'a', 'b'], "Unexpected argument 'b': holdfast status <id>"],
  [['run', 'x', '--model'], 'Option --model needs a value: --model MODEL'],
  [['run', 'x', '--model='], 'Option --model needs a value'],
  [['run', 'x', '--model', '--wait'], 'Option --model needs a value. A value that begins with'],
  [['run', 'x', '--wait=yes'], 'Option --wait takes no value.'],
  [['run', 'x', '--name', 'a', '--name', 'b'], 'Option --name is given 2 times.'],
  [['run', 'x', '--mode', 'loud'], "'loud' is not a value of --mode; choose one of headless, interactive."],
  [['completion', 'tcsh'], "'tcsh' is not a value of <shell>; choose one of bash, zsh, fish."],
  [['run', 'x', '--max-duration', 'soon'], "Option --max-duration: 'soon' is not a duration"],
  [['run', 'x', '--max-duration', '9'.repeat(400)], 'Option --max-duration: .* is too long'],
])('%j is refused in words', (argv, message) => {
  const pattern = message.replace(/[?()[\]]/g, '\\$&')
  expect(() => parseCommand(argv)).toThrow(usage(pattern))
})

test('help and version are understood everywhere, also when the rest is wrong', () => {
  expect(parseCommand(['--help'])).toEqual({ kind: 'help', topic: [], all: false })
  expect(parseCommand(['--help', '--all'])).toEqual({ kind: 'help', topic: [], all: true })
  expect(parseCommand(['run', '--bogus', '-h'])).toEqual({ kind: 'help', topic: ['run'], all: false })
  expect(parseCommand(['workspace', '--help'])).toEqual({ kind: 'help', topic: ['workspace'], all: false })
  expect(parseCommand(['workspace', 'add', '--help'])).toEqual({
    kind: 'help',
    topic: ['workspace', 'add'],
    all: false,
  })
  expect(parseCommand(['-V'])).toEqual({ kind: 'version' })
})

test('hostile arguments give a command or a HoldfastError, never anything else', () => {
  const known = [
    ...table.flatMap(({ name }) => name.split(' ')),
    ...table.flatMap(({ options }) => options.map(({ name }) => `--${name}`)),
    ...globalOptions.map(({ name }) => `--${name}=`),
  ]
  const word = fc.oneof(
    fc.constantFrom(...known, '--', '-', '---', '--=', '-=', '--__proto__', '--constructor=1', ''),
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `-${text}`),
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (argv) => {
      try {
        expect(['command', 'front_page', 'help', 'version']).toContain(parseCommand(argv).kind)
      } catch (error) {
        expect(error).toBeInstanceOf(HoldfastError)
        expect((error as Error).message).not.toMatch(/[\x00-\x1f]/)
      }
    }),
    { numRuns: 500 },
  )
})

test('names and short letters are unique within each command', () => {
  for (const { options } of table) {
    const all = [...options, ...globalOptions] as { name: string; short?: string }[]
    const names = all.map(({ name }) => name)
    const shorts = all.flatMap(({ short }) => short ?? [])
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(shorts).size).toBe(shorts.length)
  }
})
