/** `mark`: how the first line of a prompt begins on the agent's screen. `ends`: the first line after a prompt. */
export type PromptStyle = { readonly mark: RegExp; readonly ends: RegExp }

/** The texts of the prompts among these lines, oldest first. */
export function promptsIn(lines: readonly string[], { mark, ends }: PromptStyle): string[] {
  const starts = lines.flatMap((line, row) => (mark.test(line) ? [row] : []))
  return starts.map((start, index) => {
    const rest = lines.slice(start + 1, starts[index + 1])
    const end = rest.findIndex((line) => ends.test(line))
    const first = lines[start]?.replace(mark, '') ?? ''
    return [first, ...(end < 0 ? rest : rest.slice(0, end))].join('\n').trimEnd()
  })
}
