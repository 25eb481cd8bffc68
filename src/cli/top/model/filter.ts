// Owns which sessions are shown: all words of the filter have to occur in what the board tells of a session.

import type { Held } from './board-model.ts'
import { type Section, sectionOf } from './sections.ts'

export function filtered(all: readonly Held[], filter: string): readonly Held[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all
  return all.filter((held) => {
    const text = searchable(held)
    return words.every((word) => text.includes(word))
  })
}

const searchable = ({ row, questions }: Held): string =>
  [
    row.session_id,
    row.name,
    row.runtime,
    row.title,
    row.agent,
    row.status,
    row.phase?.replaceAll('_', ' '),
    row.waits_for,
    SECTION_WORDS[sectionOf(row)],
    ...questions.map(({ question }) => question),
  ]
    .join('\n')
    .toLowerCase()

/** A person types what the heading says. */
const SECTION_WORDS: Readonly<Record<Section, string>> = {
  needs_you: 'needs you',
  at_work: 'at work',
  waiting: 'waiting',
  done: 'done',
}
