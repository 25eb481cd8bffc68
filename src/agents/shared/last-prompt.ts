/** `mark`: how the first line of a prompt begins on the agent's screen. `ends`: the first line after a prompt. */
export type PromptStyle = { readonly mark: RegExp; readonly ends: RegExp }

/** The text of the last prompt among these lines; null when there is none. */
export function lastPromptIn(lines: readonly string[], { mark, ends }: PromptStyle): string | null {
  const start = lines.findLastIndex((line) => mark.test(line))
  if (start < 0) return null
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => ends.test(line))
  return [lines[start]!.replace(mark, ''), ...(end < 0 ? rest : rest.slice(0, end))].join('\n').trimEnd()
}
