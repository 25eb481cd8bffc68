// Owns how output is read: its lines, what kind each is, and the last one that says something. Pure.

/** The last line that is not empty. */
export function lastLine(text: string): string {
  const lines = text.trimEnd().split('\n')
  return lines.at(-1)?.trim() ?? ''
}

export type LineKind =
  | 'agent'
  | 'told'
  | 'asks'
  | 'tool'
  | 'note'
  | 'result'
  | 'failed'
  | 'cut'
  | 'holdfast'
  | 'plain'
export type OutputLine = { readonly kind: LineKind; readonly head: string; readonly text: string }

const HEADS: readonly (readonly [RegExp, LineKind])[] = [
  [/^\[holdfast\] (?=.*\b(killed|ended|died|failed|crash))/i, 'cut'],
  [/^\[holdfast\] /, 'holdfast'],
  [/^agent: /, 'agent'],
  [/^(prompt|answer): /, 'told'],
  [/^asks: /, 'asks'],
  [/^tool( done)?: /, 'tool'],
  [/^(note|usage|session|unknown): /, 'note'],
  [/^result: /, 'result'],
  [/^(tool failed|blocked|limit|result, failed): /, 'failed'],
]

/** `agent: Hello` → said by the agent. A line that is indented as far as a head is long belongs to that head. */
export function outputLines(lines: readonly string[]): OutputLine[] {
  let above: { readonly kind: LineKind; readonly indent: string } | undefined
  return lines.map((line) => {
    for (const [pattern, kind] of HEADS) {
      const head = pattern.exec(line)?.[0]
      if (head === undefined) continue
      above = { kind, indent: ' '.repeat(head.length) }
      return { kind, head: head.replace(/[:[\]]/g, '').trim(), text: line.slice(head.length) }
    }
    if (above !== undefined && line.startsWith(above.indent))
      return { kind: above.kind, head: '', text: line.slice(above.indent.length) }
    above = undefined
    return { kind: 'plain', head: '', text: line }
  })
}
