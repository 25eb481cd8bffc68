import { lastLine } from './last-line.ts'

/** What an agent writes in front of a prompt that was said, and what comes after the prompt. */
export type PromptStyle = { readonly mark: RegExp; readonly ends: RegExp }

/** The last one among these lines. */
export function lastPromptIn(lines: readonly string[], { mark, ends }: PromptStyle): string | null {
  const start = lastLine(lines, (line) => mark.test(line))
  if (start === undefined) return null
  const rest = lines.slice(start.row + 1)
  const end = rest.findIndex((line) => ends.test(line))
  return [start.line.replace(mark, ''), ...(end < 0 ? rest : rest.slice(0, end))].join('\n').trimEnd()
}
