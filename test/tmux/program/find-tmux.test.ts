import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isNewEnough } from '../../../src/domain/names/tmux-version.ts'
import { findTmux } from '../../../src/tmux/program/find-tmux.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { skippableClock } from '../../helpers/tmux-server.ts'

test.each([
  ['tmux 3.3a', true],
  ['tmux 3.2', true],
  ['tmux 3.10', true],
  ['tmux 4.0', true],
  ['tmux next-3.6', true],
  ['tmux openbsd-7.4', true],
  ['tmux openbsd-6.9', true],
  ['tmux master', true],
  ['tmux 3.1c', false],
  ['tmux 2.9', false],
  ['tmux openbsd-6.8', false],
  ['', false],
  ['screen 4.9', false],
])('%j is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

const clock = skippableClock()
const programSaying = (version: string) => {
  const dir = tempDir()
  writeFileSync(join(dir, 'tmux'), `#!/bin/sh\necho '${version}'\n`)
  chmodSync(join(dir, 'tmux'), 0o755)
  return dir
}

test('the real tmux is found with its path and version', async () => {
  const found = await findTmux(process.env.PATH, clock)
  expect(found.path).toMatch(/^\/.*\/tmux$/)
  expect(found.version).toMatch(/^tmux /)
})

test('the first executable file on the PATH counts, not a directory of that name', async () => {
  const [decoy, dir] = [tempDir(), programSaying('tmux 3.5')]
  mkdirSync(join(decoy, 'tmux'))
  expect(await findTmux(`relative:${decoy}:${dir}`, clock)).toEqual({
    path: join(dir, 'tmux'),
    version: 'tmux 3.5',
  })
})

test('an old tmux is refused with TMUX_TOO_OLD', async () => {
  await expect(findTmux(programSaying('tmux 3.1c'), clock)).rejects.toMatchObject({ code: 'TMUX_TOO_OLD' })
})

test('without tmux on the PATH the error is TMUX_MISSING', async () => {
  await expect(findTmux(tempDir(), clock)).rejects.toMatchObject({ code: 'TMUX_MISSING' })
  await expect(findTmux(undefined, clock)).rejects.toMatchObject({ code: 'TMUX_MISSING' })
})

test('a tmux that cannot be run is as good as none', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'tmux'), '#!/nowhere/interpreter\n')
  chmodSync(join(dir, 'tmux'), 0o755)
  await expect(findTmux(dir, clock)).rejects.toMatchObject({ code: 'TMUX_MISSING' })
})
