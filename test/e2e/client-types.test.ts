// The types of `holdfast/client` as they are published, for programs of users that TypeScript checks.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../helpers/temp-dir.ts'
import { finished } from '../helpers/world.ts'

const ROOT = join(import.meta.dirname, '../..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

const RIGHT = `
import { ApiError, connect, type Client, type HoldfastEvent } from 'holdfast/client'

const holdfast: Client = connect({ url: 'http://127.0.0.1:4949', token: 'x' })
const { task } = await holdfast.call('POST /api/tasks', { body: { prompt: 'do: say hello', dir: '/' } })
const id: string = task.session_id
for await (const event of holdfast.events({ task: id, from: 'start' })) show(event)
function show({ kind, at }: HoldfastEvent): string {
  return kind + at.toFixed()
}
const { version } = await holdfast.call('GET /api/health').catch((error: unknown) => {
  throw error instanceof ApiError ? new Error(error.code + error.hint + error.status) : error
})
export const shown: string = version
holdfast.terminal(id, { onBytes: (bytes) => bytes.length, typing: false }).close()
`

/** Each is one mistake. */
const WRONG = [
  `holdfast.call('GET /api/nothing')`,
  `holdfast.call('GET /api/tasks/:id')`,
  `holdfast.call('GET /api/tasks/:id', { id: 5 })`,
  `holdfast.call('POST /api/tasks', { body: { dir: 7 } })`,
  `holdfast.call('GET /api/health').then(({ verson }) => verson)`,
  `holdfast.events({ from: 'yesterday' })`,
  `holdfast.terminal('x', {})`,
  `connect({ port: 4949 })`,
]

/** What a program is checked with: Node's own way, or that of a bundler for a page, which knows nothing of Node. */
const WAYS = {
  Node: {
    module: 'nodenext',
    lib: ['es2023'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  },
  'a bundler': { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.asynciterable'] },
}

/** A project with the package as npm unpacks it: nothing of our own node_modules is found from there. */
async function check(way: keyof typeof WAYS, program: string): Promise<string[]> {
  const project = tempDir('hftypes')
  const installed = join(project, 'node_modules/holdfast')
  mkdirSync(installed, { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'))
  cpSync(join(ROOT, 'dist/client'), join(installed, 'dist/client'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(join(project, 'program.ts'), program)
  const compilerOptions = { target: 'es2022', strict: true, noEmit: true, types: [], ...WAYS[way] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const { code, stdout } = await finished(
    spawn(process.execPath, [TSC, '--pretty', 'false'], { cwd: project }),
  )
  const errors = stdout.split('\n').filter((line) => /error TS/.test(line))
  expect(code === 0, stdout).toBe(errors.length === 0)
  return errors
}

test.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
  'a program that uses the client as the docs say compiles for %s',
  async (way) => {
    expect(await check(way, RIGHT)).toEqual([])
  },
)

test('each wrong use of the client is refused by the compiler, and nothing else is', async () => {
  const head = `import { connect } from 'holdfast/client'\nconst holdfast = connect()`
  const errors = await check('a bundler', [head, ...WRONG.map((line) => `void ${line}`)].join('\n'))
  expect(new Set(errors.map((line) => /^program\.ts\((\d+),/.exec(line)?.[1]))).toEqual(
    new Set(WRONG.map((_, at) => String(at + 3))),
  )
})
