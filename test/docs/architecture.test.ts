import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ORDER_KINDS } from '../../src/domain/task/order.ts'
import { openDesk } from '../../src/supervisor/desk.ts'
import { mayImport } from '../architecture/rooms.ts'
import { sourceFiles } from '../helpers/source-files.ts'
import { codeRows, codeSpans, readPage, section } from './pages.ts'

const rooms = readdirSync('src')
const table = codeRows(section('docs/ARCHITECTURE.md', '## Rooms'))

test('the room table lists every room of src/, and no other', () => {
  expect(table.map(([room]) => room).sort()).toEqual([...rooms].sort())
})

test.each(table)('the room table tells what %s may import', (room, _owns, imports) => {
  const allowed = mayImport[room!]!.filter((other) => existsSync(`src/${other}`))
  expect(imports).toBe(allowed.join(', ') || 'nothing')
})

const PICTURE = readPage('docs/ARCHITECTURE.md').split('```')[1] ?? ''

test.each(rooms.filter((room) => room !== 'changes'))('the picture shows %s', (room) => {
  expect(PICTURE).toMatch(new RegExp(`\\b${room}\\b`))
})

test('ADR 13 lists the parts of the desk', () => {
  const desk = openDesk(
    { core: { config: {} }, orders: {}, subscribers: {} } as never,
    new AbortController().signal,
  )
  const spans = codeSpans(
    /It is a list of small parts[\s\S]*?\. /.exec(readPage('docs/adr/0013-doors.md'))?.[0] ?? '',
  )
  expect(spans.sort()).toEqual(Object.keys(desk).sort())
})

test('the table of listeners names the file of each durable subscriber', () => {
  const files = sourceFiles('src').filter((file) => readFileSync(file, 'utf8').includes('isOfNode: true'))
  expect(files).toContain('src/notify/subscription.ts')
  const rows = section('docs/ARCHITECTURE.md', '## What follows a change').split('\n')
  const row = rows.find((line) => line.startsWith('| durable subscribers')) ?? ''
  expect(files.filter((file) => !row.includes(`\`${file}\``))).toEqual([])
})

test('the table of listeners names each file of src/supervisor/listening that is one', () => {
  const files = sourceFiles('src/supervisor/listening').filter((file) =>
    /JournalListener => \(\{|implements JournalListener/.test(readFileSync(file, 'utf8')),
  )
  expect(files).toContain('src/supervisor/listening/scheduling.ts')
  const table = section('docs/ARCHITECTURE.md', '## What follows a change')
  // It only hands on to the durable subscribers, which have a row.
  const expected = files.filter((file) => file !== 'src/supervisor/listening/subscribers.ts')
  expect(expected.filter((file) => !table.includes(`\`${file}\``))).toEqual([])
})

test.each([
  ['docs/GLOSSARY.md', /^- \*\*order\*\*: [^(]*\(([^)]*)\)/m],
  ['src/domain/journal/event-texts.ts', /order_given: \{[\s\S]*?kind: '([^']*)'/],
])('%s lists every kind of order', (file, list) => {
  const named = list.exec(readFileSync(file, 'utf8'))?.[1]?.split(/, | or /)
  expect(named).toEqual([...ORDER_KINDS])
})
