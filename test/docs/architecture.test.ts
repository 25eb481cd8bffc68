import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mayImport } from '../architecture/rooms.ts'
import { codeRows, section } from './pages.ts'

const rooms = readdirSync('src')
const table = codeRows(section('docs/ARCHITECTURE.md', '## Rooms'))

test('the room table lists every room of src/, and no other', () => {
  expect(table.map(([room]) => room).sort()).toEqual([...rooms].sort())
})

test.each(table)('the room table tells what %s may import', (room, _owns, imports) => {
  const allowed = mayImport[room!]!.filter((other) => existsSync(`src/${other}`))
  expect(imports).toBe(allowed.join(', ') || 'nothing')
})
