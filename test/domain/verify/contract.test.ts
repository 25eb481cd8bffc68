import { expect, test } from 'vitest'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { type Check, checkText, commandLines, parseContract } from '../../../src/domain/verify/contract.ts'

const good: [unknown, Check][] = [
  [{ file: 'dist/index.js' }, { kind: 'file', path: 'dist/index.js', matches: null, minBytes: 0 }],
  [{ file: './a//b/./c' }, { kind: 'file', path: 'a/b/c', matches: null, minBytes: 0 }],
  [
    { file: 'a', matches: '^x$', min_size: 10 },
    { kind: 'file', path: 'a', matches: '^x$', minBytes: 10 },
  ],
  [{ command: 'npm test' }, { kind: 'command', argv: ['npm', 'test'], timeoutMs: 600_000 }],
  [
    { command: ['a b', ''], timeout: '90s' },
    { kind: 'command', argv: ['a b', ''], timeoutMs: 90_000 },
  ],
  [{ schema: { type: 'object' } }, { kind: 'schema', path: null, schema: { type: 'object' } }],
  [
    { schema: {}, of: 'out.json' },
    { kind: 'schema', path: 'out.json', schema: {} },
  ],
  [
    { status: 's.md', is: 'done' },
    { kind: 'status', path: 's.md', key: ['status'], oneOf: ['done'] },
  ],
  [
    { status: 's.yaml', key: 'a.b', is: ['done', 3, true] },
    { kind: 'status', path: 's.yaml', key: ['a', 'b'], oneOf: ['done', '3', 'true'] },
  ],
  [
    { status: 's.yml', key: ['stories', '5.3'], is: 'done' },
    { kind: 'status', path: 's.yml', key: ['stories', '5.3'], oneOf: ['done'] },
  ],
]

test.each(good)('%j is a check', (raw, check) => {
  expect(parseContract([raw])).toEqual({ checks: [check] })
  expect(parseContract({ checks: [raw] })).toEqual({ checks: [check] })
})

const PATH_RULE = "must be a relative path without '..'"
const bad: [unknown, string][] = [
  [undefined, 'the contract must be a list of checks'],
  [[], 'the contract must be a list of checks'],
  [{ checks: [{ file: 'a' }], more: 1 }, 'the contract must be a list of checks'],
  [Array(51).fill({ file: 'a' }), 'the contract has more than 50 checks'],
  [['file:a'], 'the contract: check 1 must be a map with one of file, command, schema, status'],
  [[{ file: 'a' }, {}], 'the contract: check 2 needs exactly one of file, command, schema, status'],
  [[{ file: 'a', command: 'b' }], 'needs exactly one of'],
  [[{ file: 'a', matchs: 'b' }], "a file check has no 'matchs'; did you mean 'matches'?"],
  [[{ command: 'a', file_: 'b' }], "a command check has no 'file_'"],
  [[{ file: '/etc/passwd' }], `'file' ${PATH_RULE}`],
  [[{ file: 'a/../../b' }], `'file' ${PATH_RULE}`],
  [[{ file: '..' }], `'file' ${PATH_RULE}`],
  [[{ file: '' }], "'file' must be a path"],
  [[{ file: './' }], "'file' must be a path"],
  [[{ file: 'a\0b' }], "'file' must be a path"],
  [[{ file: 7 }], "'file' must be a path"],
  [[{ file: 'a', matches: '(' }], "'matches' is not a regular expression"],
  [[{ file: 'a', matches: 'x'.repeat(501) }], "'matches' must be a regular expression of at most 500"],
  [[{ file: 'a', min_size: -1 }], "'min_size' must be a whole number of bytes"],
  [[{ file: 'a', min_size: '1k' }], "'min_size' must be a whole number of bytes"],
  [[{ command: '' }], "'command' it names no program"],
  [[{ command: 'a && b' }], "'command' no shell runs it, so '&' has no meaning"],
  [[{ command: "echo 'a" }], "'command' a ' is not closed"],
  [[{ command: [] }], "'command' must be a command line"],
  [[{ command: ['a', 1] }], "'command' must be a list of texts; put numbers in quotes"],
  [[{ command: ['a\0'] }], "'command' must be a list of texts"],
  [[{ command: ['--help'] }], "'command' must begin with a program"],
  [[{ command: 'a', timeout: 'none' }], "'timeout' must be a duration"],
  [[{ command: 'a', timeout: '2d' }], "'timeout' must be a duration such as 90s or 10m, at most 24h"],
  [[{ schema: 'result.schema.json' }], "'schema' must be a JSON schema"],
  [[{ schema: { enum: ['x'.repeat(70_000)] } }], "'schema' is larger than 64 KB"],
  [[{ status: 'a.txt', is: 'done' }], "'status' must be a .yaml, .json or .md file"],
  [[{ status: 'a.md' }], "'is' must be a value, or a list of values"],
  [[{ status: 'a.md', is: [] }], "'is' must be a value"],
  [[{ status: 'a.md', is: { a: 1 } }], "'is' must be a value"],
  [[{ status: 'a.md', key: 'a..b', is: 1 }], "'key' has an empty part"],
]

test.each(bad)('%j is refused with its reason', (raw, words) => {
  expect(() => parseContract(raw)).toThrow(
    expect.objectContaining({ code: 'VERIFY_INVALID', message: expect.stringContaining(words) }),
  )
})

test('a contract is told by its file, without what a terminal would obey', () => {
  expect(() => parseContract([{ file: 'a', '\u001b[31m': 1 }], 'c.yaml')).toThrow(
    /^c\.yaml: check 1 .*\?\[31m/,
  )
})

test('a check is shown in a few words', () => {
  const { checks } = parseContract([{ command: ['npm', 'test'] }, { file: 'a' }, { schema: {} }])
  expect(checks.map(checkText)).toEqual(['command npm test', 'file a', 'schema of the result'])
})

test('a person who approves sees each word of a command', () => {
  const contract = parseContract([{ command: ['sh', '-c', 'a b'] }, { file: 'a' }])
  expect(commandLines(contract)).toEqual(['verify runs ["sh","-c","a b"]'])
})

test('what they see is exactly what runs: what is invisible or looks like something else is escaped', () => {
  const argv = ['sh', '-c', 'rm\u200b  -rf \u202e /\u2066x\ufe0f', '\u0430dmin', '\u{1f600}', '\t\u009b']
  const [line = ''] = commandLines(parseContract([{ command: argv }]))
  expect(line).toMatch(/^verify runs [\x20-\x7e]+$/)
  expect(JSON.parse(line.replace('verify runs ', ''))).toEqual(argv)
})

const own = { file: 'user.yaml', approval: 'own', content: { verify: [{ command: 'npm test' }] } } as const
const project = (content: unknown, approval: 'new' | 'approved') =>
  ({ file: 'project.yaml', approval, content: { verify: content } }) as const

test("a project's checks come after the user's", () => {
  const { config, sources } = mergeConfig([own, project([{ file: 'a' }], 'new')])
  expect(config.verify?.checks.map(checkText)).toEqual(['command npm test', 'file a'])
  expect(sources.find(({ key }) => key === 'verify')?.source).toBe('user.yaml, project.yaml')
})

test("a project's commands count only once a person approved them", () => {
  const commands = [{ command: 'make check' }]
  expect(() => mergeConfig([project(commands, 'new')])).toThrow(
    expect.objectContaining({
      code: 'NOT_TRUSTED',
      message: expect.stringContaining("'verify' would run commands"),
    }),
  )
  const { config, widenings } = mergeConfig([project(commands, 'approved')])
  expect(config.verify?.checks.map(checkText)).toEqual(['command make check'])
  expect(widenings).toHaveLength(1)
})

test('a wrong contract in a config is told with its file and key', () => {
  const content = { verify: [{ file: '/etc' }] }
  expect(() => mergeConfig([{ file: 'user.yaml', approval: 'own', content }])).toThrow(
    "user.yaml: 'verify' check 1 'file' must be a relative path",
  )
})
