import { expect, test } from 'vitest'
import type { TaskRowJson, TaskRowsJson } from '../../src/protocol/json/task-json.ts'
import { type AskPage, createRowPages } from '../../web/src/data/tasks/row-pages.ts'
import { settled } from '../helpers/settled.ts'

const row = (id: string, title = id) => ({ session_id: id, title }) as TaskRowJson
const TOTALS = { total: 4 } as TaskRowsJson['totals']

type Pages = Record<string, { rows: string[]; next: string | null }>

/** A daemon whose pages can be changed, and whose answers come when the test says so. */
function daemon(pages: Pages) {
  const asked: { after: string; answer: () => void }[] = []
  const ask: AskPage = (after = '', withTotals) =>
    new Promise((resolve) => {
      const { rows, next } = pages[after]!
      const told = { rows: rows.map((id) => row(id)), next, totals: withTotals ? TOTALS : null }
      asked.push({ after, answer: () => resolve(told) })
    })
  const answer = async (after: string) => {
    const at = asked.findIndex((one) => one.after === after)
    asked.splice(at, 1)[0]!.answer()
    await settled()
  }
  return { ask, answer, asked: () => asked.map(({ after }) => after) }
}
const ids = (rows: readonly TaskRowJson[]) => rows.map(({ session_id: id }) => id)

test('pages are loaded as they come into view', async () => {
  const { ask, answer, asked } = daemon({
    '': { rows: ['a', 'b'], next: '2' },
    '2': { rows: ['c'], next: null },
  })
  const list = createRowPages(ask)
  list.see(0, 1)
  await answer('')
  expect(ids(list.get().rows)).toEqual(['a', 'b'])
  expect(asked()).toEqual([])
  list.see(0, 2)
  await answer('2')
  expect(list.get()).toMatchObject({ whole: true, totals: TOTALS })
  expect(ids(list.get().rows)).toEqual(['a', 'b', 'c'])
})

test('a change while a question is under way asks again after its answer, and one page has one question at a time', async () => {
  const pages = { '': { rows: ['a'], next: null } }
  const { ask, answer, asked } = daemon(pages)
  const list = createRowPages(ask)
  list.see(0, 0)
  list.changed()
  list.changed()
  expect(asked()).toEqual([''])
  pages[''].rows = ['b', 'a']
  await answer('')
  expect(ids(list.get().rows)).toEqual(['a'])
  expect(asked()).toEqual([''])
  await answer('')
  expect(ids(list.get().rows)).toEqual(['b', 'a'])
  expect(asked()).toEqual([])
})

test('a task that moved to another page stands where the newer answer has it', async () => {
  const pages = { '': { rows: ['a', 'b'], next: '2' }, '2': { rows: ['c'], next: null as string | null } }
  const { ask, answer } = daemon(pages)
  const list = createRowPages(ask)
  list.see(0, 5)
  await answer('')
  await answer('2')
  pages[''].rows = ['b']
  pages['2'].rows = ['a', 'c']
  list.see(2, 2)
  list.changed()
  await answer('2')
  expect(ids(list.get().rows)).toEqual(['b', 'a', 'c'])
  await answer('')
  expect(ids(list.get().rows)).toEqual(['b', 'a', 'c'])
})

test('a page whose beginning moved is asked again from there, so that no task falls between two pages', async () => {
  const pages: Pages = { '': { rows: ['b', 'c'], next: 'c' }, c: { rows: ['d'], next: null } }
  const { ask, answer, asked } = daemon(pages)
  const list = createRowPages(ask)
  list.see(0, 5)
  await answer('')
  await answer('c')
  pages[''] = { rows: ['a', 'b'], next: 'b' }
  pages.b = { rows: ['c', 'd'], next: null }
  list.see(0, 1)
  list.changed()
  await answer('')
  list.see(0, 5)
  expect(asked()).toContain('b')
  await answer('b')
  expect(ids(list.get().rows)).toEqual(['a', 'b', 'c', 'd'])
  expect(list.get().whole).toBe(true)
})

test('the late answer of a page that was cut off meanwhile changes nothing', async () => {
  const pages: Pages = { '': { rows: ['a', 'b'], next: 'b' }, b: { rows: ['c'], next: null } }
  const { ask, answer, asked } = daemon(pages)
  const list = createRowPages(ask)
  list.see(0, 5)
  await answer('')
  expect(asked()).toEqual(['b'])
  pages[''] = { rows: ['a'], next: null }
  list.changed()
  await answer('')
  await answer('b')
  expect(ids(list.get().rows)).toEqual(['a'])
  list.changed()
  await answer('')
  expect(ids(list.get().rows)).toEqual(['a'])
})

test('an answer that did not come keeps what is known, and says so', async () => {
  let fails = false
  const list = createRowPages(async () => {
    if (fails) throw new Error('away')
    return { rows: [row('a')], next: null, totals: TOTALS }
  })
  list.see(0, 0)
  await settled()
  fails = true
  list.changed()
  await settled()
  expect(ids(list.get().rows)).toEqual(['a'])
  expect(list.get().problem).toEqual(new Error('away'))
})
