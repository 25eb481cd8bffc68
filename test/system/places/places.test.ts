import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filePlaces } from '../../../src/system/places/places.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

test.each<[string, (git: string) => void]>([
  [
    'a repository',
    (git) => {
      mkdirSync(git)
      writeFileSync(join(git, 'HEAD'), '')
    },
  ],
  ['a worktree', (git) => writeFileSync(git, 'gitdir: elsewhere')],
])('the project of a directory inside %s is its root', async (_, make) => {
  const root = tempDir()
  make(join(root, '.git'))
  const inside = join(root, 'a/b')
  mkdirSync(inside, { recursive: true })
  expect(await filePlaces.projectRoot(inside)).toBe(root)
})

test('an empty .git above a directory does not make a project of everything around it', async () => {
  const root = tempDir()
  const inside = join(root, 'a')
  for (const dir of [join(root, '.git'), inside]) mkdirSync(dir)
  expect(await filePlaces.projectRoot(inside)).toBe(inside)
})
