// Owns the page that `holdfast` without a command shows: the everyday commands in groups, what happened since yesterday, and what
// needs a person now.
import { existsSync } from 'node:fs'
import { errorCatalogue } from '../domain/errors/catalogue.ts'
import { type HoldfastError, isHoldfastError } from '../domain/errors.ts'
import { homePaths } from '../domain/names/home.ts'
import type { OpenQuestionJson } from '../protocol/json/recovery-json.ts'
import type { TaskRowJson, TaskRowsJson, TotalsJson } from '../protocol/json/task-json.ts'
import type { CommandName } from './commands.ts'
import { createContext } from './context.ts'
import { oneLine, pad, shorten } from './render/print/cells.ts'
import { localMinute } from './render/print/time.ts'
import { outageLines } from './render/text/outage-text.ts'
import { commandsFor, sinceWhen } from './render/text/question-text.ts'

export const GROUPS: Readonly<Record<string, readonly CommandName[]>> = {
  'Start here': ['run', 'create', 'list', 'status'],
  Watch: ['top', 'web', 'logs', 'attach', 'monitor', 'why'],
  Answer: ['questions', 'answer', 'send', 'finish'],
  Fix: ['resume', 'retry', 'takeover', 'unpark', 'kill'],
  'Set up': ['doctor', 'agents', 'config show', 'workspace add', 'service install', 'completion'],
}

const MOST_SHOWN = 5
/** How long the page waits for the daemon: without its answer the page is shown all the same. */
const PATIENCE_MS = 1500
/** Ended sessions are told of for so long: whoever comes back the next morning reads what the night brought. */
const NEWS_FOR_MS = 24 * 3_600_000
/** So many of the last ends are looked at for those that failed, which are named first. */
const MOST_LOOKED_AT = 50

/** Each part after an empty line; what needs a person comes last. Nothing where no daemon ever ran. Never starts a daemon. */
export async function newsNow(home: string): Promise<string[]> {
  const context = createContext({ home, json: false })
  const width = Math.max(40, Math.min(context.width(), 120))
  const since = new Date(Date.now() - NEWS_FOR_MS).toISOString()
  const daemon = context.runningDaemon()
  const query = { ended_since: since, limit: String(MOST_LOOKED_AT) }
  const [ended, waiting] = await Promise.all([
    inTime(daemon.call('GET /api/tasks/rows', { query })),
    inTime(daemon.call('GET /api/questions', { query: {} })),
  ])
  if ('why' in waiting) return waiting.why === undefined ? [] : parted([unknownLines(waiting.why, home)])
  const tmux = waiting.answer.tmux ? outageLines(waiting.answer.tmux, Date.now()) : []
  return parted([
    'why' in ended ? [] : endedLines(ended.answer, width),
    needsYouLines(waiting.answer.questions, tmux, width),
  ])
}

const parted = (parts: readonly (readonly string[])[]) =>
  parts.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines]))

/** `why`: an error that is worth telling; undefined for one that is not. */
type Heard<Answer> = { readonly answer: Answer } | { readonly why: HoldfastError | 'late' | undefined }

async function inTime<Answer>(asked: Promise<Answer>): Promise<Heard<Answer>> {
  const late = new Promise<Heard<Answer>>((resolve) => {
    setTimeout(() => resolve({ why: 'late' }), PATIENCE_MS).unref()
  })
  const heard = asked.then(
    (answer): Heard<Answer> => ({ answer }),
    (error): Heard<Answer> => {
      if (!isHoldfastError(error)) throw error
      return { why: /^(DAEMON|STORE)_/.test(error.code) ? error : undefined }
    },
  )
  return await Promise.race([heard, late])
}

/** Silence would look as if nothing needed a person. */
function unknownLines(why: HoldfastError | 'late', home: string): string[] {
  if (why === 'late')
    return ['What needs you is not known: the daemon has not answered yet. Look: holdfast doctor']
  if (why.code === 'DAEMON_UNREACHABLE')
    return existsSync(homePaths(home).lock)
      ? ['No daemon is running: nobody watches your sessions. Start it: holdfast up']
      : []
  return [`What needs you is not known: ${why.message} (${why.code})`, errorCatalogue[why.code].hint]
}

function endedLines({ rows, totals }: TaskRowsJson, width: number): string[] {
  if (totals === null || rows.length === 0) return []
  const shown = [...rows].sort((one, other) => byNeed(one) - byNeed(other)).slice(0, MOST_SHOWN)
  const more = totals.total - shown.length
  const ids = Math.max(...shown.map(({ session_id }) => session_id.length))
  return [
    `Ended within a day (${countsOf(totals)}):`,
    ...shown.flatMap((row) => [
      endedLine(row, ids, width),
      ...(row.status === 'FAILED' ? [`    holdfast why ${row.session_id}`] : []),
    ]),
    ...(more > 0 ? [`  … and ${more} more: holdfast list --ended-since 24h`] : []),
  ]
}

const NEEDS: readonly string[] = ['FAILED', 'COMPLETED', 'KILLED']
const byNeed = ({ status }: TaskRowJson) => NEEDS.indexOf(status)

const countsOf = ({ completed, failed, killed }: TotalsJson) =>
  Object.entries({ failed, completed, killed })
    .flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
    .join(', ')

const endedLine = ({ session_id, status, completed_at, title }: TaskRowJson, ids: number, width: number) =>
  shorten(
    `  ${pad(session_id, ids)}  ${status.padEnd(9)}  ${localMinute(completed_at).slice(5)}  ${oneLine(title)}`,
    width,
  )

function needsYouLines(
  questions: readonly OpenQuestionJson[],
  tmux: readonly string[],
  width: number,
): string[] {
  const count = questions.length + (tmux.length > 0 ? 1 : 0)
  if (count === 0) return []
  const more = questions.length - MOST_SHOWN
  return [
    `Needs you now (${count}):`,
    ...tmux.map((line) => `  ${line}`),
    ...questions.slice(0, MOST_SHOWN).flatMap((question) => questionLines(question, questions, width)),
    ...(more > 0 ? [`  … and ${more} more: holdfast questions`] : []),
  ]
}

function questionLines(open: OpenQuestionJson, all: readonly OpenQuestionJson[], width: number): string[] {
  const { session_id, question } = open
  const isOnlyQuestion = all.filter((other) => other.session_id === session_id).length === 1
  return [
    shorten(`  ${session_id} ${sinceWhen(open, Date.now())}: ${oneLine(question)}`, width),
    `    ${commandsFor(session_id, open, isOnlyQuestion).join(', ')}`,
  ]
}
