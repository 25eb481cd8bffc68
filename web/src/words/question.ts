// Owns how a question is laid out: what is asked, the exact command or text that it is about, and what ended it. Pure.
import type { StoryJson } from '../../../src/protocol/json/recovery-json.ts'
import { timeOf } from './time.ts'

export type AskedParts = { readonly words: string; readonly exact: string | null }

/**
 * The first line asks; what follows it, or stands behind two blanks as agents' dialogs have it, is quoted exactly. Where
 * the first line is only a title, the last one may ask.
 */
export function askedParts(question: string): AskedParts {
  const lines = question.trim().split('\n')
  const [first = '', ...others] = lines.length > 1 && asksAtItsEnd(lines) ? titleAndAsk(lines) : lines
  const below = others
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd()
  if (below !== '') return { words: first.trim(), exact: below }
  const [, words, exact] = /^(.{3,}?[?:])\s{2,}(\S.*)$/.exec(first) ?? []
  return words === undefined || exact === undefined ? { words: first.trim(), exact: null } : { words, exact }
}

const asksAtItsEnd = (lines: readonly string[]) =>
  !/[?:]\s*$/.test(lines[0] ?? '') && /\?\s*$/.test(lines.at(-1) ?? '')

const titleAndAsk = (lines: readonly string[]) => [
  `${lines[0]?.trim()}. ${lines.at(-1)?.trim()}`,
  ...lines.slice(1, -1),
]

/** The step by which a task went on after a question: what came after it is about something else. */
export function closingStep(story: readonly StoryJson[], askedAt: string): StoryJson | undefined {
  const asked = story.findIndex(({ phase, at }) => phase === 'asking' && timeOf(at) >= timeOf(askedAt))
  return asked === -1 ? undefined : story.slice(asked).find(({ phase }) => phase !== 'asking')
}

/** Whether a task's reason is nothing but this question, on one line and with its options behind it. */
export const isReason = (question: string, reason: string): boolean =>
  oneLine(reason).startsWith(oneLine(question))

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
