// Owns how a question is laid out: what is asked, and the exact command or text that it is about. Pure.

export type AskedParts = { readonly words: string; readonly exact: string | null }

/** The first line asks; what follows it, or stands behind two blanks as agents' dialogs have it, is quoted exactly. */
export function askedParts(question: string): AskedParts {
  const [first = '', ...others] = question.trim().split('\n')
  const below = others
    .join('\n')
    .replace(/^\s*\n/, '')
    .trimEnd()
  if (below !== '') return { words: first.trim(), exact: below }
  const [, words, exact] = /^(.{3,}?[?:])\s{2,}(\S.*)$/.exec(first) ?? []
  return words === undefined || exact === undefined ? { words: first.trim(), exact: null } : { words, exact }
}
