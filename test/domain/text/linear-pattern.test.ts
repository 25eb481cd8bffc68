import { expect, test } from 'vitest'
import { linearPattern, NotLinear } from '../../../src/domain/text/linear-pattern.ts'

/** What JavaScript's own matcher finds. */
const expected = (source: string, text: string) => {
  const match = new RegExp(source).exec(text)
  return match ? (match[1] ?? match[0]) : undefined
}

const PATTERNS = [
  'abc',
  '^abc$',
  'a|ab|abc',
  '(a|ab)(c|bcd)',
  'a*?b',
  '(a+)b',
  '(a+?)b?',
  'a{2,3}',
  'a{2}',
  'a{2,}?b',
  'x{0}y',
  '{a}',
  'a{,2}',
  'a{b',
  '[a-c]+',
  '[^a-c]+',
  '[]a]',
  '[^]',
  '[\\d-x]+',
  '[a\\-c]',
  '[\\]\\\\]',
  '[\\w.]+@[\\w.]+',
  '\\bfoo\\b',
  '\\Boo',
  '^\\s*DONE: (.*)$',
  'session(?: id)?: ([\\w-]+)',
  '(?<id>\\d+)-\\k',
  '\\$x',
  '\\x41\\u0042',
  '\\t|\\n',
  '.',
  '(.)(.)',
  '(?:(a)|b)*',
  '(a*)*',
  '()',
  '|a',
  'a|',
  '\\/',
  '^Do you want to run `npm (test|run lint)`',
  '[\\b]',
  '(z)?',
  '(z)?b',
  'é+',
  '💥',
  '\\.$',
  '-',
  '[+--]',
]
const TEXTS = [
  '',
  'a',
  'abc',
  'abcd',
  'aaab',
  'xaab',
  'foo bar',
  'foobar',
  'a{b',
  '{a}',
  'a{,2}',
  ']',
  '\\',
  'me.x@y.z now',
  'DONE: all good\r',
  '  DONE: yes',
  'session id: ab-12',
  'session: x',
  '7-',
  '$x',
  'AB',
  'tab\there',
  'zb',
  'b',
  'Do you want to run `npm test`? 1/2',
  'éé',
  'x💥y',
  'end.',
  'a-b',
  '\b',
  'ab\nabc',
  '\u2028x',
]

test.each(PATTERNS.filter((source) => !source.includes('\\k')))(
  '%j finds what JavaScript finds',
  (source) => {
    const pattern = linearPattern(source)
    for (const text of TEXTS)
      expect({ text, found: pattern.find(text) }).toEqual({ text, found: expected(source, text) })
  },
)

const tryLinear = (source: string) => {
  try {
    return linearPattern(source)
  } catch (error) {
    expect(error).toBeInstanceOf(NotLinear)
    return undefined
  }
}

test('so do thousands of patterns made at random, on texts made at random', () => {
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * most)
  }
  const pick = <T>(from: readonly T[]) => from[random(from.length)]!
  const make = (depth: number): string => {
    if (depth === 0) return pick(['a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '\\d', 'ab'])
    const inner = () => make(depth - 1)
    return pick([
      () => inner() + inner(),
      () => `(${inner()}|${inner()})`,
      () => `(?:${inner()})${pick(['*', '+', '?', '*?', '+?', '{1,2}', '{2}'])}`,
      () => `(${inner()})`,
      inner,
    ])()
  }
  let tried = 0
  for (let n = 0; n < 4000; n++) {
    const source = make(1 + random(3))
    const pattern = tryLinear(source)
    if (pattern === undefined) continue
    for (let k = 0; k < 5; k++) {
      const text = Array.from({ length: random(8) }, () => pick(['a', 'b', 'c', '1', ' '])).join('')
      const match = new RegExp(source).exec(text)
      // Whether and where it matches; groups in rounds that match nothing are an engine's own business.
      expect([source, text, pattern.find(text) === undefined]).toEqual([source, text, match === null])
      const whole = linearPattern(`(${source})`).find(text)
      expect([source, text, whole]).toEqual([source, text, match?.[0]])
      tried++
    }
  }
  expect(tried).toBeGreaterThan(15_000)
})

test('what is not supported is named: flags inside a pattern are no look-ahead', () => {
  for (const source of ['(?=a)b', '(?<!a)b']) expect(() => linearPattern(source)).toThrow('look-ahead')
  for (const source of ['(?i:a)', '(?-i:a)', '(?s-m:a)'])
    expect(() => linearPattern(source)).toThrow('flags inside')
})

test.each([
  '(?=a)b',
  '(?!a)b',
  '(?<=a)b',
  '(?<!a)b',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  'a{3000}',
  '(?:a{50}){50}',
  '\\cA',
  '(?:a*?)*',
  '(?:.*?)?',
  '(|a)+b',
])('%j cannot be matched in linear time, and is told so', (source) =>
  expect(() => linearPattern(source)).toThrow(NotLinear),
)

test.each([
  ['(a+)+$', `${'a'.repeat(20_000)}!`],
  ['(a|a)*$', `${'a'.repeat(20_000)}!`],
  ['^(\\w+\\s?)*$', `${'word '.repeat(4000)}!`],
  ['(.*)(.*)(.*)(.*)x', 'y'.repeat(20_000)],
])('%j on a text made to hurt takes as long as on any other text of that length', (source, text) => {
  const timed = (given: string) => {
    const before = process.cpuUsage()
    linearPattern(source).find(given)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  timed(text.slice(0, 500))
  // Four times the text, about four times the time; a backtracking matcher would take years.
  expect(timed(text)).toBeLessThan(3000)
})
