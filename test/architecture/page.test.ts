import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importsOf, sourceFiles } from '../helpers/source-files.ts'

const files = [...sourceFiles('web/src'), ...sourceFiles('web/src', '.tsx')]
const textOf = (file: string) => readFileSync(file, 'utf8')

test.each(files)('%s knows of the daemon only the contract, and types of the domain', (file) => {
  const outside = importsOf(file).filter((path) => !path.startsWith('web/src/'))
  const strangers = outside.filter((path) => !/^src\/(protocol|client|domain)\//.test(path))
  const domainCode = [...textOf(file).matchAll(/import (?!type\b)[^;']*? from '[./]+\/src\/domain\/[^']+'/g)]
  expect({ strangers, domainCode: domainCode.map(([line]) => line) }).toEqual({
    strangers: [],
    domainCode: [],
  })
})

test('the page is built anew when anything changes that it imports', () => {
  const roots = new Set(
    files.flatMap((file) => importsOf(file)).map((path) => /^(web|src\/[^/]+)\//.exec(path)?.[1]),
  )
  const [, built] = /pageSources = \[(.*)\]/.exec(textOf('scripts/build-page.mjs'))!
  expect([...roots].filter((root) => root !== undefined && !built!.includes(`'${root}'`))).toEqual([])
})

test.each(files)('%s shows text as text, and asks no clock but the daemon’s', (file) => {
  const forbidden = [
    /dangerouslySetInnerHTML/,
    /\.(inner|outer)HTML\b/,
    /insertAdjacentHTML/,
    /\bDate\.now\(/,
    /new Date\(\)/,
    /\beval\(/,
  ]
  expect(forbidden.filter((pattern) => pattern.test(textOf(file)))).toEqual([])
})

test.each(files)('%s holds one idea', (file) => {
  expect(textOf(file).split('\n').length).toBeLessThanOrEqual(250)
})

/** Which folder of web/src/data may import which others of its folders, and which files at its top. There are no circles. */
const dataRooms: Readonly<Record<string, readonly string[]>> = {
  connection: ['signal.ts'],
  held: ['signal.ts', 'connection'],
  screen: ['connection'],
  installation: ['connection', 'held'],
  task: ['connection', 'held'],
  tasks: ['signal.ts', 'connection', 'held'],
  orders: ['signal.ts', 'connection', 'held'],
}
const inData = (file: string) => file.replace(/^web\/src\/data\//, '').split('/')[0]!
const dataFiles = sourceFiles('web/src/data')

test.each(dataFiles)('%s stays within its part of the data', (file) => {
  const room = inData(file)
  const allowed = dataRooms[room] ?? []
  const imported = importsOf(file).filter((path) => path.startsWith('web/src/data/'))
  expect(imported.map(inData).filter((other) => other !== room && !allowed.includes(other))).toEqual([])
})

test('every folder of web/src/data has its rule', () => {
  const folders = dataFiles.map(inData).filter((name) => !name.endsWith('.ts'))
  expect([...new Set(folders)].sort()).toEqual(Object.keys(dataRooms).sort())
})
