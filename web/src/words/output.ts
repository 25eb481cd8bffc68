// Owns how output is read: its lines, what kind each is, and the last one that says something. Pure.

/** The last line that is not empty. */
export function lastLine(text: string): string {
  const lines = text.trimEnd().split('\n')
  return lines.at(-1)?.trim() ?? ''
}

export type LineKind = 'agent' | 'tool' | 'note' | 'result' | 'cut' | 'holdfast' | 'plain'
export type OutputLine = { readonly kind: LineKind; readonly head: string; readonly text: string }

const HEADS: readonly (readonly [RegExp, LineKind])[] = [
  [/^\[holdfast\] (?=.*\b(killed|ended|died|failed|crash))/i, 'cut'],
  [/^\[holdfast\] /, 'holdfast'],
  [/^agent: /, 'agent'],
  [/^tool( done)?: /, 'tool'],
  [/^(note|usage): /, 'note'],
  [/^result: /, 'result'],
]

/** `agent: Hello` → said by the agent. A line without a head belongs to the one before it. */
export function outputLine(line: string): OutputLine {
  for (const [pattern, kind] of HEADS) {
    const head = pattern.exec(line)?.[0]
    if (head !== undefined)
      return { kind, head: head.replace(/[:[\]]/g, '').trim(), text: line.slice(head.length) }
  }
  return { kind: 'plain', head: '', text: line }
}
