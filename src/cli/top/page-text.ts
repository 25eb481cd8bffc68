// Owns the text of the page that is open: it is asked for anew, or grows, while the page is read.
import type { LogTail } from './feed/log-tail.ts'
import type { Page } from './input/state.ts'
import { HELP, type PageText } from './layout/page-layout.ts'

/** `why` and its lines are null until they came. */
export type PageSources = { readonly tail: LogTail | null; readonly why: readonly string[] | null }

export function pageText({ kind, id, isAtEnd }: Page, { tail, why }: PageSources): PageText {
  if (kind === 'help') return { title: 'holdfast top', lines: HELP, status: 'help' }
  if (kind === 'why') return { title: id, lines: why ?? ['…'], status: 'why' }
  if (tail === null) return { title: id, lines: ['…'], status: 'logs' }
  const lines = tail.lines()
  return {
    title: id,
    lines: lines.length === 0 ? [emptyText(tail)] : lines,
    status: ['logs', tail.isCut ? 'only the last lines' : '', following(tail, isAtEnd)]
      .filter(Boolean)
      .join(', '),
  }
}

const emptyText = ({ problem, isOver }: LogTail) =>
  problem ?? (isOver ? 'It wrote nothing.' : 'It has written nothing yet.')

function following({ isOver, problem }: LogTail, isAtEnd: boolean): string {
  if (problem !== null) return problem
  if (isOver) return 'the session has ended'
  return isAtEnd ? 'follows' : 'goes on below (End follows)'
}
