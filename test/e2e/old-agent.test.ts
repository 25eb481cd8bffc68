// An agent that is known not to work is refused before it is started, and shown as such.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../helpers/temp-dir.ts'
import { startWorld } from '../helpers/world.ts'

/** A PATH on which `pi` is a package of that version, and `node` says that it is another. */
function pathWith({ pi, node }: { pi: string; node?: string }): string {
  const root = tempDir('hf')
  const bin = join(root, 'bin')
  mkdirSync(bin)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    chmodSync(join(root, path), 0o755)
  }
  const name = '@mariozechner/pi-coding-agent'
  put(`lib/${name}/package.json`, JSON.stringify({ name, version: pi, bin: { pi: 'dist/cli.js' } }))
  put(`lib/${name}/dist/cli.js`, `#!/usr/bin/env node\nconsole.log('${pi}')\n`)
  symlinkSync(`../lib/${name}/dist/cli.js`, join(bin, 'pi'))
  put(
    'bin/node',
    `#!/bin/sh\n[ "$1" = --version ] && echo v${node ?? '22.23.3'} || exec ${process.execPath} "$@"\n`,
  )
  return `${bin}:${process.env.PATH}`
}

test('a Pi that is too old is refused with what to do, and no session is made', async () => {
  const world = await startWorld({ env: { PATH: pathWith({ pi: '0.73.1' }) } })
  const refused = await world.cli(['run', 'hello', '--agent', 'pi'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('AGENT_TOO_OLD')
  expect(refused.stderr).toContain('version 0.73.1 is too old')
  expect(refused.stderr).toMatch(/npm install -g @earendil-works\/pi-coding-agent@\d+\.\d+\.\d+/)
  expect((await world.json<{ tasks: unknown[] }>(['list'])).tasks).toEqual([])
})

test('a Pi on a Node that cannot run it is refused, and both versions are named', async () => {
  const world = await startWorld({ env: { PATH: pathWith({ pi: '0.87.1', node: '20.20.2' }) } })
  const refused = await world.cli(['run', 'hello', '--agent', 'pi'])
  expect(refused.stderr).toContain('AGENT_TOO_OLD')
  expect(refused.stderr).toMatch(/needs Node 22\.19\.0 or later.*20\.20\.2/)
})

test('agents and doctor say that a Pi that is too old cannot be used, and doctor how to put it right', async () => {
  const world = await startWorld({ env: { PATH: pathWith({ pi: '0.73.1' }) } })
  const listed = await world.ok(['agents'])
  expect(listed).toMatch(/^pi +0\.73\.1 \(too old\)/m)
  expect(listed).toContain('pi cannot be used: version 0.73.1 is too old')
  const { agents } = await world.json<{ agents: { kind: string; unusable: string | null }[] }>(['agents'])
  expect(agents.find(({ kind }) => kind === 'pi')?.unusable).toContain('too old')
  const { checks } = JSON.parse((await world.cli(['doctor', '--json'])).stdout) as {
    checks: { name: string; state: string; detail: string; fix: string }[]
  }
  expect(checks.find(({ name }) => name === 'pi')).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('cannot be used'),
    fix: expect.stringContaining('npm install -g @earendil-works/pi-coding-agent@'),
  })
})

test('agents lists the scripted one, which comes with Holdfast', async () => {
  const world = await startWorld()
  expect(await world.ok(['agents'])).toMatch(/^scripted +built in /m)
  const { agents } = await world.json<{ agents: { kind: string; install: string | null }[] }>(['agents'])
  expect(agents.find(({ kind }) => kind === 'scripted')).toMatchObject({ install: null })
})
