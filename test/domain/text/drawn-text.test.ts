import { expect, test } from 'vitest'
import { drawnAs, isEndOf, isShown } from '../../../src/domain/text/drawn-text.ts'

const TEXT = 'Make the größe of it 漢字 👩‍👩‍👧 fit,\n\tthen say so. ✔️ Supercalifragilistic.'

test.each([
  ['as it is', TEXT],
  ['wrapped at a blank', TEXT.replace(' of it', '\nof it')],
  ['wrapped within a word', TEXT.replace('frag', 'frag\n')],
  ['with its tab as blanks', TEXT.replace('\t', '    ')],
  [
    'with what a terminal makes of joined and wide letters',
    TEXT.replace(/\u200d|\ufe0f/g, '').replace('✔', '✔ '),
  ],
  ['with blanks at its end', `${TEXT}  \n`],
])('a text is known %s', (_how, drawn) => {
  expect(drawnAs(drawn, TEXT)).toBe('whole')
})

test.each([
  ['its end', TEXT.slice(0, -3)],
  ['its beginning', TEXT.slice(4)],
  ['a word within', TEXT.replace('then ', '')],
  ['most of it', TEXT.slice(0, 14)],
  ['a word being one', TEXT.replace('fit', 'f it')],
])('it is known without %s, and not taken for whole', (_what, drawn) => {
  expect(drawnAs(drawn, TEXT)).toBe('maimed')
})

test.each([
  ['with a letter more', TEXT.replace('fit', 'fiit')],
  ['with another letter', TEXT.replace('fit', 'fat')],
  ['twice', TEXT + TEXT],
  ['behind somebody’s words', `mine ${TEXT}`],
  ['not at all', ''],
])('a text is another one %s', (_how, drawn) => {
  expect(drawnAs(drawn, TEXT)).toBe('other')
})

test('so little may be left of a text that it may be anybody’s', () => {
  expect(drawnAs('Make', TEXT)).toBe('scrap')
  expect(drawnAs('.', TEXT)).toBe('scrap')
  expect(drawnAs('Fake', TEXT)).toBe('other')
})

test('a long prompt may be shown cut; another one that begins alike is not it', () => {
  expect(isShown('Make the größe of it…\nsome answer', TEXT)).toBe(true)
  expect(isShown('Make the größe of it', TEXT)).toBe(false)
  expect(isShown(`${TEXT} and more`, TEXT)).toBe(false)
})

test.each(['…', ' …', '👍…', 'Make…'])('%j is cut to so little that it may be any prompt', (shown) => {
  expect(isShown(shown, TEXT)).toBe(false)
})

test('rows of a scrolled box are the end of a text when they show enough of it', () => {
  expect(isEndOf('say so. ✔️ Super\ncalifragilistic.', TEXT)).toBe(true)
  expect(isEndOf('say so. ✔️ Super\ncalifragilistics.', TEXT)).toBe(false)
  for (const rows of ['', '\n \n', '👍\n👍', 'tic.']) expect(isEndOf(rows, TEXT)).toBe(false)
})
