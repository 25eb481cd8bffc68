import { expect, test } from 'vitest'
import { importsOf, packagesOf, sourceFiles } from '../helpers/source-files.ts'
import { processDoors, startsProcesses } from '../quick.ts'

const tests = sourceFiles('test', '.test.ts')
const covers = (place: string, file: string) =>
  place === file || (place.endsWith('/') && file.startsWith(place))

/** How a file comes to start processes: the files on the way, and the door. */
function wayToDoor(file: string, been = new Set<string>()): string[] | undefined {
  been.add(file)
  const imported = [...importsOf(file), ...packagesOf(file)]
  const door = imported.find((name) => processDoors.includes(name))
  if (door !== undefined) return [file, door]
  for (const next of imported.filter((name) => /^test\/.*\.ts$/.test(name) && !been.has(name))) {
    const way = wayToDoor(next, been)
    if (way !== undefined) return [file, ...way]
  }
  return undefined
}

test('a test that starts processes is left out of test:quick', () => {
  const quick = tests.filter((file) => !startsProcesses.some((place) => covers(place, file)))
  const slow = quick.flatMap((file) => wayToDoor(file)?.join(' → ') ?? [])
  expect(slow, 'to be listed in test/quick.ts').toEqual([])
})

test('a test that starts none is in test:quick', () => {
  const leftOut = tests.filter((file) => startsProcesses.some((place) => covers(place, file)))
  const pure = leftOut.filter((file) => wayToDoor(file) === undefined)
  expect(pure, 'not to be covered by test/quick.ts').toEqual([])
})

test('what test:quick leaves out is there', () => {
  const gone = startsProcesses.filter((place) => !tests.some((file) => covers(place, file)))
  expect(gone).toEqual([])
})
