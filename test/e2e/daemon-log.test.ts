// daemon.log is read by programs: whatever happens, each line is one JSON object.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

type Entry = { at: string; level: string; msg: string; text?: string; stack?: string; message?: string }

/** Loaded into the daemon before its own code: prints and dies as a library or Node itself might. */
const NOISE = `
if (process.argv[1]?.endsWith('daemon.js')) setTimeout(() => {
  console.error('two\\nlines of %s', 'a library')
  process.stdout.write('and stdout\\n')
  process.emitWarning('careful\\nnow')
  setTimeout(() => {
    require('node:fs').writeSync(2, '\\nFATAL ERROR: from native code\\n 1: 0xb7a940 node::Abort()\\n')
    throw new Error('nobody\\nexpected postgres://me:hunter2@db/x')
  }, 300)
}, 500)
`

test('every line of daemon.log is one JSON entry: prints, warnings, stacks, and what only reached stderr', async () => {
  const world = await startWorld()
  const noise = join(world.root, 'noise.cjs')
  writeFileSync(noise, NOISE)
  await world.ok(['up'], { env: { NODE_OPTIONS: `--require ${noise}` } })
  const pid = world.daemonPid()
  await waitFor('the daemon to die', () => !isAlive(pid))
  await world.ok(['up'])
  const text = readFileSync(join(world.home, 'daemon.log'), 'utf8')
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
  for (const entry of entries)
    expect(entry).toMatchObject({ at: expect.any(String), level: expect.any(String) })
  const told = (msg: string) => entries.filter((entry) => entry.msg === msg)
  expect(told('unexpected output').map((entry) => entry.text)).toEqual([
    'two\nlines of a library\n',
    'and stdout\n',
  ])
  expect(told('warning from Node')).toHaveLength(1)
  expect(told('the daemon ends after an error')).toMatchObject([
    { level: 'error', code: 'INTERNAL', stack: expect.stringContaining('\n    at ') },
  ])
  expect(told('an earlier daemon wrote to stderr')).toMatchObject([
    { text: 'FATAL ERROR: from native code\n 1: 0xb7a940 node::Abort()' },
  ])
  expect(text).not.toContain('hunter2')
  expect(readFileSync(join(world.home, 'daemon.stderr'), 'utf8')).toBe('')
})
