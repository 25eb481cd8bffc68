import { expect, test } from 'vitest'
import { piLines } from '../../../src/agents/pi/lines.ts'

test('a prompt is one line, whatever is in it, and may wait until the turn before has settled', () => {
  const text = 'a\n"b"\u2028\\ {"type":"bash","command":"rm"}'
  const line = piLines.prompt({ ref: 'hf-7', text, session: null })
  expect(line?.split('\n')).toEqual([expect.any(String), ''])
  expect(JSON.parse(line!)).toEqual({
    id: 'hf-7',
    type: 'prompt',
    message: text,
    streamingBehavior: 'followUp',
  })
})

const answerTo = (ref: string, options: string[], option: number | null, text = '') => {
  const line = piLines.answer({ ref, question: '?', options }, { option, text })
  return line && JSON.parse(line)
}
const response = { type: 'extension_ui_response', id: 'u1' }

test.each([
  ['select:u1', ['Allow', 'Block'], 1, '', { value: 'Block' }],
  ['confirm:u1', ['Yes', 'No'], 0, '', { confirmed: true }],
  ['confirm:u1', ['Yes', 'No'], 1, '', { confirmed: false }],
  ['input:u1', [], null, 'feature/x', { value: 'feature/x' }],
  ['editor:u1', [], null, 'two\nlines', { value: 'two\nlines' }],
])('%s %j is answered by option %s or text %j with %j', (ref, options, option, text, fields) => {
  expect(answerTo(ref, options, option, text)).toEqual({ ...response, ...fields })
})

test.each([
  ['select:u1', ['Allow', 'Block'], null, 'Allow everything'],
  ['select:u1', ['Allow', 'Block'], 2, ''],
  ['confirm:u1', ['Yes', 'No'], null, 'yes'],
  ['confirm:u1', ['Yes', 'No'], -1, ''],
  ['u1', [], null, 'no method'],
  ['hologram:u1', [], null, 'no such method'],
])('%s %j cannot be answered by option %s or text %j', (ref, options, option, text) => {
  expect(answerTo(ref, options, option, text)).toBeNull()
})
