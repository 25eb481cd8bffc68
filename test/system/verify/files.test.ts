import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyWorld } from './verify-world.ts'

const why = async (world: ReturnType<typeof verifyWorld>, check: unknown, result?: string) =>
  (await world.verify([check], { result })).checks[0]!.why

test('a file passes when it is there, is large enough and matches on some line', async () => {
  const world = verifyWorld()
  world.write('dist/index.js', 'import a\nexport default a\n')
  const { verified } = await world.verify([
    { file: 'dist/index.js' },
    { file: 'dist/index.js', min_size: 10, matches: '^export default' },
  ])
  expect(verified).toBe(true)
})

test('a file fails with what is wrong about it', async () => {
  const world = verifyWorld()
  world.write('short', 'abc')
  mkdirSync(join(world.dir, 'folder'))
  expect(await why(world, { file: 'none' })).toBe('does not exist')
  expect(await why(world, { file: 'none/at/all' })).toBe('does not exist')
  expect(await why(world, { file: 'short/x' })).toBe('has a link or a file, not a directory, in its path')
  expect(await why(world, { file: 'short', min_size: 4 })).toBe('has 3 bytes, not at least 4')
  expect(await why(world, { file: 'short', matches: 'x+' })).toBe('does not match /x+/')
  expect(await why(world, { file: 'folder' })).toBe('is not a regular file')
})

test('no link is followed, neither to a file nor on the way', async () => {
  const world = verifyWorld()
  const secret = join(world.root, 'secret')
  writeFileSync(secret, 'SECRET')
  world.write('inside', 'SECRET')
  symlinkSync(secret, join(world.dir, 'out'))
  symlinkSync(world.root, join(world.dir, 'up'))
  symlinkSync('inside', join(world.dir, 'in'))
  expect(await why(world, { file: 'out', matches: 'SECRET' })).toBe('is a symbolic link')
  expect(await why(world, { file: 'in' })).toBe('is a symbolic link')
  expect(await why(world, { file: 'up/secret' })).toBe('has a link or a file, not a directory, in its path')
  expect(await why(world, { schema: {}, of: 'out' })).toBe('is a symbolic link')
})

test('a FIFO, a device-like file or a directory neither blocks nor passes', async () => {
  const world = verifyWorld()
  execFileSync('mkfifo', [join(world.dir, 'pipe.md')])
  expect(await why(world, { file: 'pipe.md' })).toBe('is not a regular file')
  expect(await why(world, { status: 'pipe.md', is: 'done' })).toBe('is not a regular file')
})

test('a file of 1 GB exists, but is not read', async () => {
  const world = verifyWorld()
  for (const name of ['big', 'big.json', 'big.yaml']) {
    world.write(name, '')
    truncateSync(join(world.dir, name), 1024 ** 3)
  }
  expect(await why(world, { file: 'big', min_size: 1024 ** 3 })).toBeNull()
  const tooLarge = /^is too large to be read \(1073741824 of at most \d+ bytes\)$/
  expect(await why(world, { file: 'big', matches: 'x' })).toMatch(tooLarge)
  expect(await why(world, { schema: {}, of: 'big.json' })).toMatch(tooLarge)
  expect(await why(world, { status: 'big.yaml', is: 'x' })).toMatch(tooLarge)
})

test('a pattern that would match for years is given up', async () => {
  const world = verifyWorld()
  world.write('a', `${'a'.repeat(40)}b`)
  expect(await why(world, { file: 'a', matches: '^(a+)+$' })).toBe('could not be checked within 1000 ms')
})

test('the result is held against a schema', async () => {
  const world = verifyWorld()
  const schema = { type: 'object', required: ['status'], properties: { status: { enum: ['success'] } } }
  expect(await why(world, { schema }, '{"status":"success"}')).toBeNull()
  expect(await why(world, { schema }, '{"status":"no"}')).toBe(
    '\'status\' must be equal to one of the allowed values: ["success"]',
  )
  expect(await why(world, { schema }, '{}')).toBe("it must have required property 'status'")
  expect(await why(world, { schema }, '{"status":')).toBe('is not JSON')
  expect(await why(world, { schema })).toBe('there is no result.json')
})

test('another JSON file is held against a schema', async () => {
  const world = verifyWorld()
  world.write('out/report.json', '[1, 2, "3"]')
  const schema = { items: { type: 'integer' } }
  expect(await why(world, { schema, of: 'out/report.json' })).toBe("'2' must be integer")
  world.write('out/report.json', Buffer.from([0xff, 0xfe]))
  expect(await why(world, { schema, of: 'out/report.json' })).toBe('is not UTF-8 text')
})

const statuses: [string, string, string | string[] | undefined, string | null][] = [
  ['s.yaml', 'status: done', undefined, null],
  ['s.yaml', 'status: DONE ', undefined, null],
  ['s.yaml', 'status: review', undefined, "'status' is 'review', not 'done'"],
  ['s.yaml', 'state: done', undefined, "has no 'status'"],
  ['s.yaml', 'a: {b: [x, done]}', 'a.b.1', null],
  ['s.yaml', 'stories:\n  5.10: done\n  5.1: ready', ['stories', '5.10'], null],
  ['s.yaml', 'a: {b: {c: done}}', 'a.b', "has no 'a.b'"],
  ['s.yaml', 'x: y', '__proto__.constructor', "has no '__proto__.constructor'"],
  ['s.json', '{"a": {"status": "done"}}', 'a.status', null],
  ['s.md', '---\nstatus: done\n---\n# Story', undefined, null],
  ['s.md', '---\r\nStatus: done\r\n---\r\n', undefined, null],
  ['s.md', '---\ntitle: x\n---\n# Story\n\nStatus: done\n', undefined, null],
  ['s.md', '# Story\n\n**Status:** Done\n', undefined, null],
  ['s.md', '- Status: `done`', undefined, null],
  ['s.md', '## Status: drafted', undefined, "'status' is 'drafted', not 'done'"],
  ['s.md', 'The status: is done', undefined, "has no 'status'"],
  ['s.md', '# Nothing\n---\nstatus: x\n---\n', undefined, "'status' is 'x', not 'done'"],
]

test.each(statuses)('in %s, %j at %j is judged rightly', async (path, text, key, expected) => {
  const world = verifyWorld()
  world.write(path, text)
  expect(await why(world, { status: path, key, is: 'done' })).toBe(expected)
})

test.each(['a: [', 'a: b: c', '\t- x', '"'])('YAML that is broken (%j) fails the check', async (text) => {
  const world = verifyWorld()
  world.write('s.yaml', text)
  expect(await why(world, { status: 's.yaml', is: 'done' })).toMatch(
    /^could not be checked: |^has no 'status'/,
  )
})

test('a YAML bomb does not hold us up', async () => {
  const world = verifyWorld()
  const bomb = [
    'a0: &a0 [x,x,x,x,x,x,x,x,x]',
    ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join()}]`),
  ]
  world.write('bomb.yaml', bomb.join('\n'))
  const began = performance.now()
  expect(await why(world, { status: 'bomb.yaml', is: 'x' })).not.toBeNull()
  expect(performance.now() - began).toBeLessThan(20_000)
})

test.each(['[', '{a: ', '- ', '? ', '- ? '])('YAML that nests %j without end is refused', async (opening) => {
  const world = verifyWorld()
  world.write('deep.yaml', opening.repeat(100_000))
  expect(await why(world, { status: 'deep.yaml', is: 'x' })).toMatch(/nested too deeply|within 1000 ms/)
  world.write('fine.yaml', 'a: '.padEnd(60, '[').padEnd(117, ']'))
  expect(await why(world, { status: 'fine.yaml', is: 'x' })).toBe("has no 'status'")
})

test('the fingerprint stays while nothing changes, and changes with what is looked at', async () => {
  const world = verifyWorld()
  world.write('looked-at', 'a')
  world.write('other', 'a')
  const look = async () => (await world.verify([{ file: 'looked-at' }, { file: 'missing' }])).found
  const first = await look()
  world.write('other', 'b')
  expect(await look()).toBe(first)
  world.write('looked-at', 'bc')
  expect(await look()).not.toBe(first)
})

test('with a command, all of the directory is looked at, but for what a command itself wrote', async () => {
  const world = verifyWorld()
  world.write('src/a.js', 'a')
  let n = 0
  const look = () =>
    world.verify([{ command: ['sh', '-c', 'date +%N >cache; exit 1'] }], { name: `run-${++n}` })
  const first = await look()
  const second = await look()
  expect(second.found).toBe(first.left)
  utimesSync(join(world.dir, 'src/a.js'), 1, 1)
  expect((await look()).found).not.toBe(second.left)
})

test('what git, Holdfast and package managers keep there does not count as a change', async () => {
  const world = verifyWorld()
  world.write('a', 'a')
  linkSync(join(world.dir, 'a'), join(world.dir, 'b'))
  symlinkSync('/', join(world.dir, 'root'))
  let n = 0
  const look = () => world.verify([{ command: ['false'] }], { name: `run-${++n}` })
  const { left } = await look()
  for (const dir of ['.git', '.holdfast', 'node_modules']) world.write(`${dir}/x`, 'x')
  expect((await look()).found).toBe(left)
})
