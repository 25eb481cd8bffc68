import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { asRunId } from '../../src/domain/names/ids.ts'
import { HandlingFile } from '../../src/system/handling-file.ts'
import { tempDir } from '../helpers/temp-dir.ts'

const [a, b, c] = ['run-a', 'run-b', 'run-c'].map(asRunId) as [never, never, never]

test('who was entered and not left is found by the next daemon', () => {
  const path = join(tempDir(), 'handling')
  const first = new HandlingFile(path)
  const leaveA = first.enter(a)
  first.enter(b)
  leaveA()
  first.enter(c)
  first.enter(b)
  expect(new HandlingFile(path).left().sort()).toEqual([b, c])
})

test('after its daemon is killed with SIGKILL, what it was inside of stands in the file', async () => {
  const dir = tempDir()
  const path = join(dir, 'handling')
  const source = join(import.meta.dirname, '../../src/system/handling-file.ts')
  const outfile = join(dir, 'handling.mjs')
  await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm' })
  const script = `
    import { HandlingFile } from ${JSON.stringify(outfile)}
    const handling = new HandlingFile(${JSON.stringify(path)})
    handling.enter('run-a')()
    handling.enter('run-b')
    process.kill(process.pid, 'SIGKILL')
    setInterval(() => {}, 1000)`
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script])
  expect(signal).toBe('SIGKILL')
  expect(new HandlingFile(path).left()).toEqual([b])
})

test('an orderly end leaves nobody, and a file that does not grow with the work done', () => {
  const path = join(tempDir(), 'handling')
  const handling = new HandlingFile(path)
  for (let n = 0; n < 1000; n++) handling.enter(asRunId(`run-${n}`))()
  expect(handling.left()).toEqual([])
  expect(statSync(path).size).toBeLessThan(100)
})

test('once taken note of, they are forgotten; what is entered later is not', () => {
  const path = join(tempDir(), 'handling')
  new HandlingFile(path).enter(a)
  const next = new HandlingFile(path)
  next.clear()
  next.enter(b)
  expect(next.left()).toEqual([b])
  expect(readFileSync(path, 'utf8')).not.toContain(a)
})

test('a place where nothing can be written stops nobody', () => {
  const handling = new HandlingFile(join(tempDir(), 'missing/handling'))
  handling.enter(a)()
  handling.clear()
  expect(handling.left()).toEqual([])
})
