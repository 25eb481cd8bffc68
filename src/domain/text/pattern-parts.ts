// Owns reading a JavaScript regular expression without flags into parts that can be matched in linear time.

/** Pairs of the first and the last code unit, both included. */
export type Ranges = readonly (readonly [number, number])[]
export type Assertion = 'start' | 'end' | 'word_edge' | 'no_word_edge'
export type Part =
  | { readonly kind: 'one'; readonly of: Ranges }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'all'; readonly parts: readonly Part[] }
  | { readonly kind: 'any'; readonly ways: readonly Part[] }
  | { readonly kind: 'group'; readonly number: number; readonly inner: Part }
  | Repeat
export type Repeat = {
  readonly kind: 'repeat'
  readonly inner: Part
  readonly least: number
  readonly most: number
  readonly greedy: boolean
  /** The numbers of the groups inside: each round begins with these groups empty. */
  readonly groups: readonly [first: number, last: number]
}

/** Thrown for a pattern that this matcher cannot match in linear time, or does not support. */
export class NotLinear extends Error {}

const LAST = 0xffff
const DIGIT: Ranges = [[0x30, 0x39]]
const WORD: Ranges = [...DIGIT, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]
const LINE_END: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
const SPACE: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
const CONTROL: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 }

export const isIn = (code: number, ranges: Ranges) =>
  ranges.some(([first, last]) => code >= first && code <= last)
export const isWord = (code: number | undefined) => code !== undefined && isIn(code, WORD)

function others(ranges: Ranges): Ranges {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  const left: [number, number][] = []
  let from = 0
  for (const [first, last] of sorted) {
    if (first > from) left.push([from, first - 1])
    from = Math.max(from, last + 1)
  }
  return from <= LAST ? [...left, [from, LAST]] : left
}

const SETS: Readonly<Record<string, Ranges>> = {
  d: DIGIT,
  D: others(DIGIT),
  w: WORD,
  W: others(WORD),
  s: SPACE,
  S: others(SPACE),
}

function mayBeEmpty(part: Part): boolean {
  if (part.kind === 'all') return part.parts.every(mayBeEmpty)
  if (part.kind === 'any') return part.ways.some(mayBeEmpty)
  if (part.kind === 'group') return mayBeEmpty(part.inner)
  if (part.kind === 'repeat') return part.least === 0 || mayBeEmpty(part.inner)
  return part.kind === 'assert'
}

/** True when the part has a lazy repetition, or an alternative that may be empty before another one. */
function prefersEmpty(part: Part): boolean {
  if (part.kind === 'all') return part.parts.some(prefersEmpty)
  if (part.kind === 'any') return part.ways.some(prefersEmpty) || part.ways.slice(0, -1).some(mayBeEmpty)
  if (part.kind === 'group') return prefersEmpty(part.inner)
  return part.kind === 'repeat' && (!part.greedy || prefersEmpty(part.inner))
}

/** The code unit, when these ranges contain exactly one; otherwise undefined. */
function onlyOf([range, ...more]: Ranges): number | undefined {
  return range !== undefined && more.length === 0 && range[0] === range[1] ? range[0] : undefined
}

/** Throws NotLinear for look-around, back-references and rare syntax. `source` has to be a valid JavaScript pattern. */
export function readPattern(source: string): Part {
  let at = 0
  let groups = 0
  const next = () => source[at]
  const eat = (text: string) => {
    if (!source.startsWith(text, at)) return false
    at += text.length
    return true
  }

  function either(): Part {
    const first = sequence()
    const others: Part[] = []
    while (eat('|')) others.push(sequence())
    return others.length === 0 ? first : { kind: 'any', ways: [first, ...others] }
  }

  function sequence(): Part {
    const parts: Part[] = []
    while (at < source.length && next() !== '|' && next() !== ')') parts.push(repeated())
    return { kind: 'all', parts }
  }

  function repeated(): Part {
    const before = groups
    const inner = atom()
    const times = quantifier()
    if (times === undefined) return inner
    // JavaScript chooses among such empty rounds by backtracking, which a linear matcher cannot do.
    if (mayBeEmpty(inner) && prefersEmpty(inner))
      throw new NotLinear(
        'a repeated part tries to match nothing first, as in (a*?)* or (|a)*; write the repeated part so that it matches something',
      )
    return { kind: 'repeat', inner, ...times, greedy: !eat('?'), groups: [before + 1, groups] }
  }

  function quantifier(): { least: number; most: number } | undefined {
    if (eat('*')) return { least: 0, most: Number.POSITIVE_INFINITY }
    if (eat('+')) return { least: 1, most: Number.POSITIVE_INFINITY }
    if (eat('?')) return { least: 0, most: 1 }
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(source.slice(at, at + 40))
    if (counted === null) return undefined
    at += counted[0].length
    const least = Number(counted[1])
    if (counted[2] === undefined) return { least, most: least }
    return { least, most: counted[3] ? Number(counted[3]) : Number.POSITIVE_INFINITY }
  }

  function atom(): Part {
    if (eat('^')) return { kind: 'assert', what: 'start' }
    if (eat('$')) return { kind: 'assert', what: 'end' }
    if (eat('.')) return { kind: 'one', of: others(LINE_END) }
    if (eat('[')) return { kind: 'one', of: set() }
    if (eat('(')) return group()
    if (eat('\\b')) return { kind: 'assert', what: 'word_edge' }
    if (eat('\\B')) return { kind: 'assert', what: 'no_word_edge' }
    if (eat('\\')) return { kind: 'one', of: escaped() }
    return { kind: 'one', of: [unit()] }
  }

  function group(): Part {
    const isPlain = eat('?:')
    if (!isPlain && next() === '?' && !/^\?<[A-Za-z_$][\w$]*>/.test(source.slice(at)))
      throw new NotLinear(
        /^\?<?[=!]/.test(source.slice(at))
          ? 'look-ahead and look-behind are not supported'
          : 'flags inside a pattern, such as (?i:…), are not supported',
      )
    if (!isPlain && next() === '?') at = source.indexOf('>', at) + 1
    const number = isPlain ? 0 : ++groups
    const inner = either()
    eat(')')
    return isPlain ? inner : { kind: 'group', number, inner }
  }

  function unit(): [number, number] {
    const code = source.charCodeAt(at++)
    return [code, code]
  }

  /** Reads what follows a backslash. */
  function escaped(inSet = false): Ranges {
    const char = source[at++] ?? ''
    if (SETS[char] !== undefined) return SETS[char]
    const code = CONTROL[char]
    if (code !== undefined && !(char === '0' && /\d/.test(next() ?? ''))) return [[code, code]]
    if (inSet && char === 'b') return [[8, 8]]
    const hex = char === 'x' ? /^[\da-f]{2}/i : char === 'u' ? /^[\da-f]{4}/i : undefined
    const digits = hex?.exec(source.slice(at, at + 4))?.[0]
    if (digits !== undefined) {
      at += digits.length
      return [[Number.parseInt(digits, 16), Number.parseInt(digits, 16)]]
    }
    if (/[\w]/.test(char)) throw new NotLinear(`\\${char} is not supported`)
    return [[char.charCodeAt(0), char.charCodeAt(0)]]
  }

  function set(): Ranges {
    const isOther = eat('^')
    const found: (readonly [number, number])[] = []
    while (at < source.length && next() !== ']') {
      const first = member()
      if (next() !== '-' || source[at + 1] === ']' || source[at + 1] === undefined) found.push(...first)
      else {
        at += 1
        const last = member()
        const [from, to] = [onlyOf(first), onlyOf(last)]
        if (from === undefined || to === undefined) found.push(...first, [0x2d, 0x2d], ...last)
        else found.push([from, to])
      }
    }
    eat(']')
    return isOther ? others(found) : found
  }

  const member = (): Ranges => (eat('\\') ? escaped(true) : [unit()])

  return either()
}
