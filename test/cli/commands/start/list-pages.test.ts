import { expect, test } from 'vitest'
import { cursorText } from '../../../../src/protocol/list-cursor.ts'
import { aTaskJson } from '../../../builders/task-json.ts'
import { builtCli } from '../../built-cli.ts'
import { type Asked, standInDaemon } from '../../stand-in-daemon.ts'

const { run } = builtCli()
const totals = { total: 5, created: 0, running: 2, asking: 0, completed: 3, failed: 0, killed: 0 }
const running = (id: string) => aTaskJson({ session_id: id })
const ended = (id: string) =>
  aTaskJson({ session_id: id, status: 'COMPLETED', task_status: 'completed', phase: null })
const amongUnended = cursorText({ part: 'unended', at: 5, id: 'r1' })
const amongEnded = cursorText({ part: 'ended', at: 4, id: 'd1' })
const queryOf = ({ path }: Asked) => Object.fromEntries(new URL(path, 'http://x').searchParams)

/** Two running sessions on two pages; one of them ends meanwhile, and comes again among the ended. */
const pages: Record<string, object> = {
  '': { items: [running('r1')], next: amongUnended },
  [amongUnended]: { items: [running('r2'), ended('d1')], next: amongEnded },
  [amongEnded]: { items: [ended('r1'), ended('d2'), ended('d3')], next: null },
}
const paged = (name: 'tasks' | 'rows') => (asked: Asked) => {
  const { items, next } = pages[queryOf(asked).after ?? ''] as { items: object[]; next: string | null }
  return { [name]: items, totals: queryOf(asked).totals === '0' ? null : totals, next }
}
const daemon = () => standInDaemon({ 'GET /api/tasks': paged('tasks'), 'GET /api/tasks/rows': paged('rows') })
const shown = (stdout: string) =>
  JSON.parse(stdout).tasks.map((task: { session_id: string }) => task.session_id)

test('list --json --all is one document over all pages, with each session once', async () => {
  const { home, asked } = await daemon()
  const { code, stdout } = await run(home, ['list', '--all', '--json'])
  expect(code).toBe(0)
  expect(shown(stdout)).toEqual(['r1', 'r2', 'd1', 'd2', 'd3'])
  expect(JSON.parse(stdout)).toMatchObject({ totals, next: null })
  expect(stdout).toBe(`${JSON.stringify(JSON.parse(stdout), null, 2)}\n`)
  expect(asked.map((one) => queryOf(one).after)).toEqual([undefined, amongUnended, amongEnded])
})

test('list goes on until everything that has not ended is shown, whatever the limit', async () => {
  const { home, asked } = await daemon()
  const { stdout } = await run(home, ['list', '--limit', '1', '--json'])
  expect(shown(stdout)).toEqual(['r1', 'r2', 'd1'])
  expect(JSON.parse(stdout).next).toBe(amongEnded)
  expect(asked.map((one) => queryOf(one).limit)).toEqual(['1', '1'])
  const { stdout: rest } = await run(home, ['list', '--json', '--after', amongEnded])
  expect(shown(rest)).toEqual(['r1', 'd2', 'd3'])
})

test('list as a table says how many of all are shown', async () => {
  const { home } = await daemon()
  const { stdout } = await run(home, ['list', '--limit', '1'])
  expect(stdout.trim().split('\n').slice(-2)).toEqual([
    '3 of 5 shown; the others have ended: --limit N shows more, --all shows all',
    'Total: 5 sessions (2 running, 3 completed)',
  ])
})

test('an empty list is an empty document', async () => {
  const none = { tasks: [], totals: { ...totals, total: 0 }, next: null }
  const { home } = await standInDaemon({ 'GET /api/tasks': () => none })
  const { stdout } = await run(home, ['list', '--json'])
  expect(JSON.parse(stdout)).toEqual(none)
})

test.each([
  [['--all', '--limit', '5'], 'Choose one of --all and --limit.'],
  [['--limit=-1'], '--limit takes a whole number'],
  [['--limit', 'many'], '--limit takes a whole number'],
  [['--after', '20251118-153042-x'], '--after needs the'],
])('list %j is refused in words', async (args, words) => {
  const { home } = await daemon()
  expect(await run(home, ['list', ...args])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(words),
  })
})
