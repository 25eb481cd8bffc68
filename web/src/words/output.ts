// Owns how output is read: its lines, and what kind each is. Pure.
import { OUTPUT_HEADS, type OutputHead } from '../../../src/protocol/output-heads.ts'

export type LineKind =
  | 'agent'
  | 'told'
  | 'asks'
  | 'tool'
  | 'note'
  | 'limit'
  | 'result'
  | 'failed'
  | 'cut'
  | 'holdfast'
  | 'plain'
export type OutputLine = { readonly kind: LineKind; readonly head: string; readonly text: string }

const KINDS: Readonly<Record<OutputHead, LineKind>> = {
  session: 'note',
  agent: 'agent',
  note: 'note',
  tool: 'tool',
  'tool done': 'tool',
  'tool failed': 'failed',
  asks: 'asks',
  answer: 'told',
  prompt: 'told',
  blocked: 'failed',
  limit: 'limit',
  usage: 'note',
  result: 'result',
  'result, failed': 'failed',
  unknown: 'note',
}
/** The longer ones first: `result` is also the beginning of `result, failed`. */
const HEAD = new RegExp(`^(${OUTPUT_HEADS.toSorted((one, other) => other.length - one.length).join('|')}): `)
const BAD_NEWS = /\b(killed|ended|died|failed|crash)/i
const HOLDFAST = '[holdfast] '

/** A line that is indented as far as a head is long belongs to that head. */
export function outputLines(lines: readonly string[]): OutputLine[] {
  let above: { readonly kind: LineKind; readonly indent: string } | undefined
  return lines.map((line) => {
    const own = headed(line)
    if (own !== undefined) {
      above = { kind: own.kind, indent: ' '.repeat(line.length - own.text.length) }
      return own
    }
    if (above !== undefined && line.startsWith(above.indent))
      return { kind: above.kind, head: '', text: line.slice(above.indent.length) }
    above = undefined
    return { kind: 'plain', head: '', text: line }
  })
}

/** `agent: Hello` → said by the agent. */
function headed(line: string): OutputLine | undefined {
  if (line.startsWith(HOLDFAST)) {
    const text = line.slice(HOLDFAST.length)
    return { kind: BAD_NEWS.test(text) ? 'cut' : 'holdfast', head: 'holdfast', text }
  }
  const head = HEAD.exec(line)?.[1] as OutputHead | undefined
  return head === undefined ? undefined : { kind: KINDS[head], head, text: line.slice(head.length + 2) }
}
