/** `lines`: those that end with a newline. `rest`: the text after the last newline. */
export function wholeLines(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const end = text.lastIndexOf('\n')
  if (end === -1) return { lines: [], rest: text }
  return { lines: text.slice(0, end).split('\n'), rest: text.slice(end + 1) }
}
