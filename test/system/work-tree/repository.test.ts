import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headOf, repositoryAround } from '../../../src/system/work-tree/repository.ts'
import { emptyRepository, repositoryWith } from '../../helpers/git-repository.ts'

const head = (dir: string) => headOf(repositoryAround(dir)!)

test('the commit is found in loose and in packed refs, with a detached HEAD, and with an unusual branch', () => {
  const { root, git, head: commit } = repositoryWith({ 'a.txt': 'one\n' })
  expect(head(root)).toBe(commit)
  git('pack-refs', '--all')
  expect(head(root)).toBe(commit)
  git('checkout', '-q', '-b', 'fix/#12-ünï')
  expect(head(root)).toBe(commit)
  git('checkout', '-q', '--detach')
  expect(head(root)).toBe(commit)
})

test('a HEAD that leads out of the repository, or in a circle, or is nonsense cannot be told', () => {
  const { root } = repositoryWith({ 'a.txt': 'one\n' })
  for (const text of ['ref: refs/../../../etc/passwd', 'ref: refs/heads/a', 'nonsense', '--output=/etc/x']) {
    writeFileSync(join(root, '.git/HEAD'), `${text}\n`)
    writeFileSync(join(root, '.git/refs/heads/a'), 'ref: refs/heads/a\n')
    expect(head(root)).toBeUndefined()
  }
})

test('before the first commit there is none', () => {
  expect(head(emptyRepository().root)).toBeNull()
})
