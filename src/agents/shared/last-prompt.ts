import { lastLine } from './last-line.ts'

/** `mark`: how the first line of a prompt begins on the agent's screen. `ends`: the first line after a prompt. */
export type PromptStyle = { readonly mark: RegExp; readonly ends: RegExp }

/** The text of the last prompt among these lines; null when there is none. */
export function lastPromptIn(lines: readonly string[], { mark, ends }: PromptStyle): string | null {
  const start = lastLine(lines, (line) => mark.test(line))
  if (start === undefined) return null
  const rest = lines.slice(start.row + 1)
  const end = rest.findIndex((line) => ends.test(line))
  return [start.line.replace(mark, ''), ...(end < 0 ? rest : rest.slice(0, end))].join('\n').trimEnd()
}
