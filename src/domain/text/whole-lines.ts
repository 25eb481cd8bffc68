/** Lines that have ended, and the beginning of the next one. */
export function wholeLines(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const end = text.lastIndexOf('\n')
  if (end === -1) return { lines: [], rest: text }
  return { lines: text.slice(0, end).split('\n'), rest: text.slice(end + 1) }
}
