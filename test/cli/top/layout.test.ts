import { expect, test } from 'vitest'
import { cells } from '../../../src/cli/render/print/cells.ts'
import { EMPTY_LINE, editedText } from '../../../src/cli/top/input/edit-line.ts'
import { type BoardState, INITIAL_STATE } from '../../../src/cli/top/input/state.ts'
import { boardFrame, type Seen, tooSmall } from '../../../src/cli/top/layout/board-layout.ts'
import type { Truth } from '../../../src/cli/top/layout/header.ts'
import { scrolled } from '../../../src/cli/top/layout/list-layout.ts'
import { HELP, pageLines, wrapCache } from '../../../src/cli/top/layout/page-layout.ts'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { filtered } from '../../../src/cli/top/model/filter.ts'
import { drawable, type Line, linesOf, wrapped } from '../../../src/cli/top/screen/lines.ts'
import type { TaskDetailJson } from '../../../src/protocol/json/task-json.ts'
import { aNext, aTaskJson } from '../../builders/task-json.ts'

const NOW = Date.parse('2025-11-18T15:40:00Z')
const LIVE: Truth = { link: { kind: 'live' }, silentMs: 0, trouble: null, outage: null }
const question = {
  number: 1,
  question: 'Run this?\n  rm -rf build && npm run build',
  options: ['Yes', 'No'],
  asked_at: '2025-11-18T15:38:00Z',
  answer_way: 'at_once' as const,
  takes_text: true,
  asked_by: 'agent' as const,
}
const asking = aTaskJson({
  session_id: '20251118-153042-fix-login',
  name: 'fix-login',
  task_status: 'waiting_input',
  phase: 'asking',
  questions: [question],
})

function seen(tasks: readonly TaskDetailJson[], truth: Partial<Truth> = {}, filter = ''): Seen {
  const model = new BoardModel()
  for (const one of tasks) model.takeDetail(model.ask(), one, 0)
  const now = { monotonic: 10_000, server: NOW }
  return { model, rows: filtered(model.rows(), filter), truth: { ...LIVE, ...truth }, now }
}
const textOf = (all: Line) => drawable(all.map(({ text }) => text).join('')).trimEnd()
function drawn(
  tasks: readonly TaskDetailJson[],
  state: Partial<BoardState> = {},
  size = { columns: 80, rows: 24 },
  truth = {},
) {
  const board = { ...INITIAL_STATE, selected: tasks[0]?.session_id ?? null, ...state }
  const { frame, top } = boardFrame(board, seen(tasks, truth, board.filter), size)
  return { ...frame, top, texts: frame.lines.map(textOf) }
}

test('at 80×24 a row has name, state, age by the daemon’s clock, and what is asked', () => {
  const { texts, lines } = drawn([asking, aTaskJson()])
  expect(lines).toHaveLength(24)
  expect(texts[0]).toMatch(/^ holdfast {2}1 needs you · 1 at work · 0 waiting · 0 done +live$/)
  expect(texts.slice(1, 5)).toEqual([
    'NEEDS YOU 1',
    '▸ ? fix-login                asks for 2m 0s  5m 42s Run this? rm -rf build && n…',
    'AT WORK 1',
    '  ● 153042-grafana-validator working         5m 42s Check the dashboards',
  ])
  expect(texts).toContain('── 20251118-153042-fix-login ───────────────────────────────────────────────────')
  expect(texts).toContain('   rm -rf build && npm run build')
  expect(texts).toContain('   2. No')
  expect(texts.at(-1)).toBe(
    ' Enter attach a answer l logs w why k kill r retry s send / filter ? help q quit',
  )
})

/** A board that has read three of seven sessions that have ended. */
function withOlder(filter = '', columns = 80) {
  const done = { task_status: 'completed', status: 'COMPLETED', phase: null } as const
  const all = [1, 2, 3].map((n) => aTaskJson({ session_id: `20251118-15304${n}-t${n}`, ...done }))
  const board = seen([asking, ...all], {}, filter)
  const totals = { total: 8, created: 0, running: 1, asking: 1, completed: 6, failed: 1, killed: 0 }
  const listed = new Set([asking, ...all].map(({ session_id }) => session_id))
  board.model.takeList(board.model.ask(), listed, totals, true)
  const { frame } = boardFrame({ ...INITIAL_STATE, filter }, board, { columns, rows: 24 })
  return frame.lines.map(textOf)
}

test('a heading with fewer sessions than the first line counts says so, and how the others are read', () => {
  const texts = withOlder()
  expect(texts[0]).toContain(' · 7 done')
  expect(texts[3]).toBe('DONE 3 of 7, the newest · End reads older ones')
  expect(withOlder('', 44)[3]).toBe('DONE 3 of 7, the newest')
})

test('a filter says how many sessions it looked at, while older ones are not read', () => {
  expect(withOlder('t2')[1]).toBe('DONE 1 among the newest 3 of 7 · End reads older ones')
  expect(withOlder('nowhere', 40).slice(2, 6)).toEqual([
    ' Nothing has all of these words: nowhere',
    ' Looked at 4 of 8 sessions.',
    ' End reads older ones.',
    ' Esc clears the filter.',
  ])
})

test.each([
  [40, 10],
  [60, 12],
  [80, 24],
  [140, 40],
  [300, 80],
])('at %i×%i every line fits, also with wide and hostile names', (columns, rows) => {
  const tasks = [
    asking,
    aTaskJson({
      session_id: '20251118-153043-a',
      title: '日本語のタイトル '.repeat(20),
      name: '名前'.repeat(30),
    }),
    aTaskJson({ session_id: '20251118-153044-b', title: '\x1b[2J\r\n🎉', agent: '\u202ex'.repeat(40) }),
  ]
  const { lines } = drawn(tasks, {}, { columns, rows })
  expect(lines).toHaveLength(rows)
  for (const line of lines) {
    expect(cells(drawable(line.map(({ text }) => text).join('')))).toBeLessThanOrEqual(columns)
  }
})

test('on a narrow screen the first line leaves out whole numbers, the last ones first', () => {
  const first = (columns: number) => drawn([asking, aTaskJson()], {}, { columns, rows: 10 }).texts[0]
  expect(first(61)).toBe(' holdfast  1 needs you · 1 at work · 0 waiting · 0 done live')
  expect(first(56)).toBe(' holdfast  1 needs you · 1 at work · 0 waiting · 0 done')
  expect(first(50)).toBe(' holdfast  1 needs you · 1 at work · 0 waiting')
  expect(first(40)).toBe(' holdfast  1 needs you · 1 at work')
})

test('while a question is answered it is shown as it was asked, with all options and a line to type in', () => {
  const prompt = { kind: 'answer', id: asking.session_id, question, line: editedText('2') } as const
  const { texts, cursor } = drawn([asking], { prompt })
  const at = texts.findIndex((text) => text.includes('fix-login asks (question 1)'))
  expect(texts.slice(at + 1, at + 5)).toEqual([
    ' Run this?',
    '   rm -rf build && npm run build',
    '   1. Yes',
    '   2. No',
  ])
  expect(texts.at(-1)).toBe(' Answer (number or text), Enter sends, Esc leaves it open: 2')
  expect(cursor).toEqual({ row: 23, column: 60 })
})

test('a question that takes no words asks for a number', () => {
  const prompt = {
    kind: 'answer',
    id: asking.session_id,
    question: { ...question, takes_text: false },
    line: EMPTY_LINE,
  } as const
  expect(drawn([asking], { prompt }).texts.at(-1)).toBe(
    ' Answer (a number), Enter sends, Esc leaves it open:',
  )
})

const long = { ...question, options: ['Yes', 'Yes, always', 'Yes, and switch the mode', 'No', 'Tell it'] }

test('the selected session has the lines that a short list leaves empty: its question with all options is in sight', () => {
  const { texts } = drawn([{ ...asking, questions: [long] }])
  const at = texts.findIndex((text) => text.startsWith('── '))
  expect(texts.slice(at + 2, at + 9)).toEqual([
    ' Run this?',
    '   rm -rf build && npm run build',
    ...long.options.map((option, n) => `   ${n + 1}. ${option}`),
  ])
  expect(texts[at + 9]).toContain('press a to answer')
})

test('where the list needs its lines, it is said that there is more of a question', () => {
  const others = Array.from({ length: 30 }, (_, n) => aTaskJson({ session_id: `20251118-15304${n}-a` }))
  const { texts } = drawn([{ ...asking, questions: [long] }, ...others])
  const at = texts.findIndex((text) => text.startsWith('── '))
  expect(at).toBe(24 - 1 - 7)
  expect(texts.slice(at)).toContainEqual(expect.stringMatching(/^ {3}… \d more lines: w shows all$/))
})

const LONG = { ...question, question: Array.from({ length: 25 }, (_, n) => `line ${n}`).join('\n') }

test('of a question that is longer than the screen the middle is left out, and said to be; its options stay', () => {
  const prompt = { kind: 'answer', id: asking.session_id, question: LONG, line: EMPTY_LINE } as const
  const { texts } = drawn([asking], { prompt })
  const at = texts.findIndex((text) => text.includes('asks (question 1)'))
  const shown = texts.slice(at + 1, -1).filter((text) => text !== '')
  expect(shown[0]).toBe(' line 0')
  expect(shown).toContainEqual(expect.stringMatching(/^ {3}… \d+ more lines: w shows all$/))
  expect(shown.slice(-3)).toEqual([' line 24', '   1. Yes', '   2. No'])
})

test('with more options than there is room for, the first of them are shown, and that there are more', () => {
  const many = { ...LONG, options: Array.from({ length: 30 }, (_, n) => `option ${n}`) }
  const prompt = { kind: 'answer', id: asking.session_id, question: many, line: EMPTY_LINE } as const
  const { texts } = drawn([asking], { prompt })
  expect(texts).toEqual(expect.arrayContaining([' line 0', '   1. option 0', '   2. option 1']))
  expect(texts.filter((text) => text.includes('more lines: w shows all'))).toHaveLength(2)
})

test('below the list a long question is cut in the middle as well: its options and what to press are to be seen', () => {
  const { texts } = drawn([{ ...asking, questions: [LONG] }])
  expect(texts).toContainEqual(expect.stringMatching(/… \d+ more lines: w shows all$/))
  expect(texts).toEqual(expect.arrayContaining(['   1. Yes', '   2. No', ' Next: press a to answer']))
})

test('of a session whose daemon is silent it is shown since when nothing is known, dimmed', () => {
  const elsewhere = { node_id: 'node-b', host: 'den', silent_since: '2025-11-18T15:30:42Z' }
  const { texts, lines } = drawn([asking, aTaskJson({ elsewhere })])
  const at = texts.findIndex((text) => text.includes('grafana'))
  expect(texts[at]).toMatch(/ unknown: \d+m \d+s /)
  expect(lines[at]?.some(({ text, style }) => text.includes('unknown') && style === 'dim')).toBe(true)
  const [, , asked] = drawn([{ ...asking, elsewhere }]).texts
  expect(asked).toMatch(/ unknown: \d/)
})

test('a failure that waits for a decision is not called a question, also before its question is read', () => {
  const own = { ...asking, asked_by: 'holdfast' as const }
  const [, , asked] = drawn([{ ...own, questions: [{ ...question, asked_by: 'holdfast' }] }]).texts
  expect(asked).toContain(' decide: 2m 0s ')
  const [, , unread] = drawn([{ ...own, questions: [] }]).texts
  expect(unread).toContain(' to be decided ')
})

test.each([44, 50, 59])('at %i columns how long a question waits is not cut', (columns) => {
  const asked = { ...question, asked_at: '2025-11-18T15:27:17Z' }
  const { texts } = drawn(
    [{ ...asking, elapsed_seconds: 9000, questions: [asked] }],
    {},
    { columns, rows: 24 },
  )
  expect(texts[2]).toContain('asks for 12m 43s')
})

test('of questions that were asked in the same second the one of the older session comes first', () => {
  const older = { ...asking, session_id: '20251118-153041-older', name: 'older' }
  const { texts } = drawn([asking, older])
  expect(texts.slice(2, 4).map((text) => text.slice(4, 13).trim())).toEqual(['older', 'fix-login'])
})

test.each([80, 60])(
  'at %i columns the help goes on below where it began, and its keys say what they do',
  (columns) => {
    const shown = wrapCache()(HELP, columns)
    for (const one of shown) expect(cells(one)).toBeLessThanOrEqual(columns)
    const begun = shown.findIndex((one) => one.startsWith('  Enter'))
    expect(shown[begun + 1]).toMatch(/^ {15}\S/)
    const page = { kind: 'help', id: '', top: 0, isAtEnd: false } as const
    const text = { title: 'holdfast top', status: 'help', wrapped: shown }
    expect(textOf(pageLines(page, text, 24).at(-1)!)).toMatch(
      /↑↓ PgUp PgDn scroll {2}End last lines {2}q back$/,
    )
  },
)

test('what is out of date is dimmed with the age of the last word; nothing is blanked', () => {
  const { lines, texts } = drawn([asking], {}, undefined, { silentMs: 12_000 })
  expect(texts[0]).toContain('the daemon is silent, last word 12s ago')
  expect(texts[2]).toContain('fix-login')
  const styles = new Set(lines.slice(1, 20).flatMap((line) => line.map(({ style }) => style)))
  expect([...styles].sort()).toEqual(['dim', 'selected'])
  const lost = drawn([asking], {}, { columns: 50, rows: 24 }, { link: { kind: 'stopped' }, silentMs: 3_000 })
  expect(lost.texts[0]).toContain('daemon stopped (holdfast up), last word 3s ago')
})

test('an empty board teaches the first command; a filter that finds nothing says so', () => {
  expect(drawn([]).texts.join('\n')).toContain('holdfast run "fix the failing login test"')
  expect(drawn([asking], { filter: 'nowhere' }).texts.join('\n')).toContain(
    'Nothing has all of these words: nowhere',
  )
})

test('a note is shown in up to three lines', () => {
  const note = { text: 'word '.repeat(100), tone: 'bad' } as const
  const { lines, texts } = drawn([asking], { note })
  expect(lines).toHaveLength(24)
  expect(texts.slice(-3).every((text) => text.startsWith(' word'))).toBe(true)
  expect(texts.at(-4)).not.toContain('word word')
})

test.each([40, 60, 80])('at %i columns a question is shown to its end: which key answers it', (columns) => {
  const id = '20251118-153042-a-rather-long-name'
  for (const kind of ['kill', 'retry', 'nested_attach'] as const) {
    const { texts, lines } = drawn([asking], { prompt: { kind, id } }, { columns, rows: 24 })
    expect(lines).toHaveLength(24)
    expect(texts.at(-1)).toMatch(/\[y\/N\]$/)
    // What is wider is cut.
    for (const text of texts.slice(-3)) expect(cells(text)).toBeLessThanOrEqual(columns)
    expect(texts.slice(-4).join('').replaceAll(' ', '')).toContain(id)
  }
})

test('the selected row is in sight, and its heading with it', () => {
  const items = [
    { heading: 'at_work', count: 50, more: '' } as const,
    ...Array.from({ length: 50 }, (_, row) => ({ row })),
  ]
  expect(scrolled(0, items, 0, 10)).toBe(0)
  expect(scrolled(0, items, 49, 10)).toBe(41)
  expect(scrolled(41, items, 45, 10)).toBe(41)
  expect(scrolled(41, items, 0, 10)).toBe(0)
  expect(scrolled(99, items, 49, 100)).toBe(0)
})

test('a page shows its end while it follows, and stays where somebody scrolled to', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n}`)
  const text = { title: 'x', status: '', wrapped: lines }
  const page = { kind: 'logs', id: 'x', top: 3, isAtEnd: true } as const
  expect(textOf(pageLines(page, text, 12)[10]!)).toBe('line 99')
  expect(textOf(pageLines({ ...page, isAtEnd: false }, text, 12)[1]!)).toBe('line 3')
})

test('text of others becomes lines without sequences, tabs and broken characters', () => {
  expect(linesOf('\x1b[31mred\x1b[0m\tx\r\nnext\x07\rlast\u202e')).toEqual(['red     x', 'next', 'last'])
  expect(wrapped('some words that are long', 10)).toEqual(['some words', 'that are', 'long'])
  expect(wrapped('日本語日本語', 5)).toEqual(['日本', '語日', '本語'])
})

test('a terminal that is too small is told so', () => {
  expect(tooSmall({ columns: 30, rows: 5 }).lines.map(textOf)).toContain('30×5 is too small;')
})

test('why no terminal can be opened is told also where there is no room for the numbers', () => {
  const outage =
    'tmux: The tmux server died 3 times within ten minutes; Holdfast waits before it starts tmux again.'
  expect(drawn([asking], {}, { columns: 80, rows: 24 }, { outage }).texts[0]).toMatch(
    /^ 1 needs you · tmux: The tmux server died 3 times/,
  )
})

test('without the store what is shown is dimmed, and the first line says since when', () => {
  const trouble = 'the store does not answer for 12s'
  const { lines, texts } = drawn([aTaskJson()], {}, { columns: 80, rows: 24 }, { trouble })
  expect(texts[0]).toMatch(/the store does not answer for 12s$/)
  expect(lines[1]?.every(({ style }) => style === 'dim')).toBe(true)
})

test('at 80 columns the time of the next try is not cut off, and a question is not older than its session', () => {
  const until = '2025-11-18T16:35:00Z'
  const { texts } = drawn([
    aTaskJson({ phase: 'backing_off', waits_for: 'time', waits_until: until }),
    { ...asking, elapsed_seconds: 61, session_id: '20251118-153043-young' },
  ])
  expect(texts.join('\n')).toMatch(/retry at \d\d:35 /)
  expect(texts.join('\n')).toMatch(/asks for 1m 11s +1m 11s/)
})

test('at 80×24 the command for a session that waits behind a limit is to be read as a whole', () => {
  const id = '20251118-153042-grafana-validator'
  const what = 'starts; its usage limit should be over then: one task tries first, the rest follow'
  const waiting = aTaskJson({
    session_id: id,
    phase: 'parked',
    waits_for: 'limit',
    next: aNext({ kind: 'behind_gate', what, at: '2025-11-18T17:00:00Z' }),
  })
  expect(drawn([waiting]).texts.join(' ').replace(/ +/g, ' ')).toContain(`\`holdfast unpark ${id}\``)
})
