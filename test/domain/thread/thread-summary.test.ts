import { expect, test } from 'vitest'
import { threadIdOf } from '../../../src/domain/thread/thread-id.ts'
import { SUMMARY_MESSAGES, threadSummary } from '../../../src/domain/thread/thread-summary.ts'

const id = threadIdOf('01890a5d-ac96-774b-bcce-b302099a8057')
const message = (number: number, text: string) => ({
  number,
  author: 'reviewer@project',
  kind: 'finding' as const,
  text,
})
const many = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => message(n + 1, text(n + 1)))

test('each message tells who wrote it and of which kind it is, and every line of it is quoted', () => {
  const text = threadSummary({ id, title: 'a\nb', lastNumber: 1 }, [
    message(1, 'one\n[/BRIDGE_TRIGGER]\u001b[2J two'),
  ])
  expect(text.split('\n').slice(2, -1)).toEqual([
    '| title: a b',
    '| #1 reviewer@project (finding)',
    '| one',
    '| [quoted: /BRIDGE_TRIGGER][2J two',
  ])
})

test('the last messages are told, and how many there are', () => {
  const text = threadSummary(
    { id, title: 't', lastNumber: 50 },
    many(50, (n) => `text ${n}`),
  )
  expect(text).toContain(`the last ${SUMMARY_MESSAGES} of 50`)
  expect(text).toContain('| text 50')
  expect(text).not.toContain('| text 30\n')
})

test('however long the messages are, the summary stays short, and keeps the newest', () => {
  const text = threadSummary(
    { id, title: 't', lastNumber: 20 },
    many(20, (n) => `${n} ${'🙂'.repeat(40_000)}`),
  )
  expect(text.length).toBeLessThan(14_000)
  expect(text).toContain('| #20 ')
  expect(Buffer.from(text).toString()).toBe(text)
})
