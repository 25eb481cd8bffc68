import { expect, test } from 'vitest'
import { asTaskId } from '../../src/domain/names/ids.ts'
import { isRemark, orchestratorLine, remarkLine, sessionLine } from '../../src/handoff/log-line.ts'
import { NOW } from './handoff-world.ts'

const line = (message: string) => sessionLine({ at: NOW, level: 'INFO', message })

test('a line is time, level and message', () => {
  expect(line('Session created: x')).toBe('[2025-11-18T15:30:42Z] [INFO] Session created: x\n')
  expect(orchestratorLine(asTaskId('20251118-153042-x'), { at: NOW, level: 'WARN', message: 'm' })).toBe(
    '[2025-11-18T15:30:42Z] [WARN] [20251118-153042-x] m\n',
  )
})

test.each(['a\nb', 'a\r\nb', 'a\u2028b', '\na\n\n\nb\n'])('%j stays one line', (message) => {
  expect(line(message)).toBe('[2025-11-18T15:30:42Z] [INFO] a b\n')
})

test('a control byte becomes a question mark, and never reaches the terminal', () => {
  expect(line('\x1b[2J\x07\x00')).toBe('[2025-11-18T15:30:42Z] [INFO] ?[2J??\n')
})

test('an endless message is cut', () => {
  expect(line('x'.repeat(1_000_000)).length).toBeLessThan(4100)
})

test('only our own remarks are asides, whatever others write', () => {
  expect(isRemark(sessionLine(remarkLine(NOW, 'Disk', 'gone')))).toBe(true)
  expect(isRemark(line('Status: ] [WARN] Handoff directory: x'))).toBe(false)
  expect(isRemark(sessionLine({ at: NOW, level: 'WARN', message: 'Status: Handoff directory: x' }))).toBe(
    false,
  )
})
