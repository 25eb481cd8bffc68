import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkPrompt } from '../../../src/domain/conversation/check-prompt.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const refused = (code: string) => expect.objectContaining({ code })

test('any text with something in it comes through unchanged, shell metacharacters and control bytes included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(text.trim() !== '' && !text.includes('\0') && !text.startsWith('\ufeff'))
      expect(checkPrompt(bytes(text))).toBe(text)
    }),
  )
  expect(checkPrompt(bytes('$(rm -rf /) `x` ; \x1b[2J \x07'))).toBe('$(rm -rf /) `x` ; \x1b[2J \x07')
})

test.each(['', ' \n\t'])('a prompt of %j is empty', (text) => {
  expect(() => checkPrompt(bytes(text))).toThrow(refused('PROMPT_EMPTY'))
})

test('bytes that are not UTF-8, and NUL, are not text', () => {
  expect(() => checkPrompt(Uint8Array.of(0x66, 0xff, 0xfe))).toThrow(refused('PROMPT_NOT_TEXT'))
  expect(() => checkPrompt(bytes('a\0b'))).toThrow(refused('PROMPT_NOT_TEXT'))
})

test('the limit counts bytes, and the limit itself is allowed', () => {
  expect(checkPrompt(bytes('äää'), 6)).toBe('äää')
  expect(() => checkPrompt(bytes('äää'), 5)).toThrow(refused('PROMPT_TOO_LARGE'))
  expect(() => checkPrompt(new Uint8Array(1024 * 1024 + 1).fill(97))).toThrow(refused('PROMPT_TOO_LARGE'))
})

test('a byte order mark is not part of the prompt', () => {
  expect(checkPrompt(bytes('\ufeffhello'))).toBe('hello')
})
