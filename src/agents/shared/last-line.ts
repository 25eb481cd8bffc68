export type Line = { readonly row: number; readonly line: string }

/** The last line of this kind, and its row. */
export function lastLine(lines: readonly string[], is: (line: string) => boolean): Line | undefined {
  for (let row = lines.length - 1; row >= 0; row--) {
    const line = lines[row]
    if (line !== undefined && is(line)) return { row, line }
  }
  return undefined
}
