// Owns what a parent is told when it is woken: several rows of the outbox as one text, with the ids of its children, how
// each stands, and how to read the results.
import type { TaskId } from '../../domain/names/ids.ts'
import type { ChildNews } from '../../domain/task/child-news.ts'
import type { Final } from '../../domain/task/final-state.ts'
import type { OutboxRow } from '../../ports/store/outbox.ts'

const MOST_CHILDREN = 50
const LONGEST_REASON = 300

const WORDS: Readonly<Record<ChildNews, string>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'was ended',
  question_asked: 'asks something that a person has to answer',
  escalated: 'cannot go on without a person',
  turn_finished: 'its turn is over, and it waits for the next prompt',
}

/**
 * `rows`: in the order in which things happened; of one child the last counts. `finals`: how children stand now, as far as
 * that is known; where it is not, the row tells.
 */
export function wakeText(
  rows: readonly Pick<OutboxRow, 'childId' | 'what'>[],
  finals: ReadonlyMap<TaskId, Final>,
): string {
  const last = new Map(rows.map(({ childId, what }) => [childId, what]))
  const lines = [...last].map(([id, what]) => `- ${id}: ${standing(what, finals.get(id))}`)
  const more = lines.length - MOST_CHILDREN
  return [
    last.size === 1
      ? 'There is news of a session you started:'
      : `There is news of ${last.size} sessions you started:`,
    ...lines.slice(0, MOST_CHILDREN),
    ...(more > 0 ? [`- and ${more} more: \`holdfast list\` shows them`] : []),
    'Read how one went with `holdfast status <id> --json`, and what it said with `holdfast logs <id>`.',
  ].join('\n')
}

function standing(what: ChildNews, final: Final | undefined): string {
  if (final === undefined) return WORDS[what]
  const reason = oneLine(final.reason)
  return reason === '' ? final.state : `${final.state}: ${reason}`
}

/** Children wrote it, or their agents did: it stays one line of plain text. */
function oneLine(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .trim()
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line
}
