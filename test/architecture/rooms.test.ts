import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importsOf, roomOf, sourceFiles } from '../helpers/source-files.ts'
import { doors, mayImport } from './rooms.ts'

const files = sourceFiles('src')

test.each(files)('%s stays within its room', (file) => {
  const room = roomOf(file)!
  const allowed = [room, ...(mayImport[room] ?? [])]
  const strangers = importsOf(file).filter((other) => !allowed.includes(roomOf(other)!))
  expect(strangers).toEqual([])
})

test('every room is one of the known rooms', () => {
  const rooms = new Set(files.map((file) => roomOf(file)!))
  expect([...rooms].filter((room) => mayImport[room] === undefined)).toEqual([])
})

test('every import names a file that exists', () => {
  const missing = files.flatMap((file) =>
    importsOf(file)
      .filter((other) => !existsSync(other))
      .map((other) => `${file} → ${other}`),
  )
  expect(missing).toEqual([])
})

test.each(doors)('$what come in through their door only', ({ pattern, allowed }) => {
  const outside = files.filter((file) => !allowed.test(file) && pattern.test(readFileSync(file, 'utf8')))
  expect(outside).toEqual([])
})

test('the scripted agent is a program of its own: it shares nothing with the rooms', () => {
  const own = files.filter((file) => file.startsWith('src/agents/scripted/'))
  const shared = own
    .flatMap((file) => importsOf(file))
    .filter((other) => !other.startsWith('src/agents/scripted/'))
  expect(shared).toEqual([])
})
