import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { followFile, readLines } from '../../../../src/agents/opencode/bridge/lines-in.ts'
import { appendTo, ignoringErrors } from '../../../../src/agents/opencode/bridge/lines-out.ts'
import { tempDir } from '../../../helpers/temp-dir.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

function follow(file: string) {
  const lines: string[] = []
  onTestFinished(followFile(file, (line) => void lines.push(line)))
  return lines
}

test('a file is followed from its beginning, each line once and only when it is whole', async () => {
  const file = join(tempDir(), 'in.jsonl')
  const lines = follow(file)
  const [half, rest] = ['{"text":"gr', 'ün"}\n']
  writeFileSync(file, `one\n${half}`)
  await waitFor('the first line', () => lines.length > 0)
  appendFileSync(file, `${rest}three\n`)
  await waitFor('the others', () => lines.length >= 3)
  expect(lines).toEqual(['one', '{"text":"grün"}', 'three'])
})

test('a line of several megabytes is one line', async () => {
  const file = join(tempDir(), 'in.jsonl')
  const long = 'ü'.repeat(2_000_000)
  writeFileSync(file, `${long}\nshort\n`)
  const lines = follow(file)
  await waitFor('both lines', () => lines.length >= 2)
  expect(lines.map(({ length }) => length)).toEqual([long.length, 5])
})

test('a stream is read by LF alone, and a last line that was cut off is not taken', async () => {
  const bytes = Buffer.from('{"a":"\u2028"}\n\nü\nhalf a li')
  const lines: string[] = []
  await readLines(
    Readable.from([...bytes].map((byte) => Buffer.from([byte]))),
    (line) => void lines.push(line),
  )
  expect(lines).toEqual(['{"a":"\u2028"}', '', 'ü'])
})

test('events are appended line by line; those that cannot be written disturb nobody', () => {
  const file = join(tempDir(), 'events.jsonl')
  writeFileSync(file, 'before\n')
  appendTo(file)({ text: 'two\nlines' })
  expect(readFileSync(file, 'utf8')).toBe('before\n{"text":"two\\nlines"}\n')
  mkdirSync(`${file}.d`)
  const broken = () => {
    appendFileSync(`${file}.d`, '')
  }
  expect(broken).toThrow()
  expect(() => ignoringErrors(broken)({})).not.toThrow()
})
