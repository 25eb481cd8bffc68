import { expect, test } from 'vitest'
import { isTested, type ProgramFound, whyTooOld } from '../../../src/domain/names/agent-version.ts'

const needs = { version: '0.80.4', why: 'tells nothing', node: '22.19.0' }
const why = (found: Partial<ProgramFound>) => whyTooOld(needs, { version: null, node: null, ...found })

test('a version older than what works is too old, and the reason says what it lacks', () => {
  for (const version of ['0.73.1', '0.80.3', '0.9.9'])
    expect(why({ version })).toBe(
      `version ${version} is too old: it tells nothing; Holdfast needs 0.80.4 or later`,
    )
  for (const version of ['0.80.4', '0.87.1', '1.0.0']) expect(why({ version })).toBeNull()
})

test('a version with fewer parts is as old as one that ends with zeros', () => {
  for (const version of ['0.80', '0']) expect(why({ version })).toContain('is too old')
  for (const version of ['0.81', '1', '0.80.4.0']) expect(why({ version })).toBeNull()
  expect(isTested('2.1', ['2.1.5', '2.2.0'])).toBe(false)
  expect(isTested('2.1', ['2.1.0', '2.1.0'])).toBe(true)
})

test('a Node that cannot run it is named', () => {
  expect(why({ version: '0.87.1', node: '20.20.2' })).toContain('needs Node 22.19.0 or later')
  expect(why({ version: '0.87.1', node: '20.20.2' })).toContain('20.20.2')
  expect(why({ version: '0.87.1', node: '22.19.0' })).toBeNull()
})

test('what is not known is nothing against it', () => expect(why({})).toBeNull())

test('versions between the oldest and the newest tested are tested', () => {
  const tested = (version: string) => isTested(version, ['1.2.3', '1.10.0'])
  expect(['1.2.3', '1.9.9', '1.10.0'].map(tested)).toEqual([true, true, true])
  expect(['1.2.2', '1.10.1', '2.0.0'].map(tested)).toEqual([false, false, false])
})
