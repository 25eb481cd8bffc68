import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importsOf, isIn, roomOf, sourceFiles, subRoomOf } from '../helpers/source-files.ts'
import { doors, mayImport, storeWrites, subRooms } from './rooms.ts'

const files = sourceFiles('src')

test.each(files)('%s stays within its room', (file) => {
  const room = roomOf(file)!
  const allowed = [room, ...(mayImport[room] ?? [])]
  const strangers = importsOf(file).filter((other) => !allowed.some((place) => isIn(place, other)))
  expect(strangers).toEqual([])
})

describe.each(Object.entries(subRooms))('the sub-rooms of %s', (room, mayImportWithin) => {
  const own = files.filter((file) => isIn(room, file))
  const subRoom = (file: string) => subRoomOf(room, file)
  const elsewhere = (file: string, others: readonly string[]) =>
    others.filter((other) => isIn(room, other) && subRoom(other) !== subRoom(file))

  test('all have their row', () => {
    const folders = own.map(subRoom).filter((name) => !name.endsWith('.ts'))
    expect(Object.keys(mayImportWithin).sort()).toEqual([...new Set(folders)].sort())
  })

  test('import only what their row allows', () => {
    const strangers = own.flatMap((file) => {
      const allowed = mayImportWithin[subRoom(file)]
      const others = allowed === undefined ? [] : elsewhere(file, importsOf(file))
      return others.filter((other) => !allowed!.includes(subRoom(other))).map((other) => `${file} → ${other}`)
    })
    expect(strangers).toEqual([])
  })

  test('import each other in one direction only', () => {
    const arrows = own.flatMap((file) =>
      elsewhere(file, importsOf(file, { lazily: false })).map(
        (other) => [subRoom(file), subRoom(other)] as const,
      ),
    )
    expect(inCircles(arrows)).toEqual([])
  })
})

/** What is left when, again and again, arrows are taken away that none leads to, or that lead no further. */
function inCircles(arrows: readonly (readonly [string, string])[]): string[] {
  const left = arrows.filter(
    ([from, to]) =>
      arrows.some(([further]) => further === to) && arrows.some(([, before]) => before === from),
  )
  if (left.length < arrows.length) return inCircles(left)
  return [...new Set(left.map(([from, to]) => `${from} → ${to}`))]
}

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

test('the store writes by nothing that has no door', () => {
  const own = sourceFiles('src/store').filter((file) => !file.endsWith('/holding.ts'))
  const code = own.map((file) => readFileSync(file, 'utf8'))
  const writing = code.flatMap((text) =>
    [...text.matchAll(/\bwrite(?:Soon)?\(holding\b/g)].map(
      ({ index }) => [...text.slice(0, index).matchAll(/^ {2}(?:async )?(\w+)(?::|\()/gm)].at(-1)?.[1],
    ),
  )
  expect([...new Set(writing)].sort()).toEqual(storeWrites)
  for (const name of storeWrites)
    expect(doors.filter(({ pattern }) => pattern.test(`store.${name}(change)`))).toHaveLength(1)
})

test('the scripted agent is a program of its own: it shares nothing with the rooms', () => {
  const own = files.filter((file) => file.startsWith('src/agents/scripted/program/'))
  const shared = own
    .flatMap((file) => importsOf(file))
    .filter((other) => !other.startsWith('src/agents/scripted/program/'))
  expect(shared).toEqual([])
})
