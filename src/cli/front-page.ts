// Owns the page that `holdfast` without a command shows: the everyday commands in groups, and what needs a person now.
import { isHoldfastError } from '../domain/errors.ts'
import type { Api } from '../protocol/api.ts'
import type { OpenQuestionJson } from '../protocol/json/recovery-json.ts'
import type { CommandName } from './commands.ts'
import { type Context, createContext } from './context.ts'
import { oneLine, shorten } from './render/print/cells.ts'
import { outageLines } from './render/text/outage-text.ts'
import { commandsFor, sinceWhen } from './render/text/question-text.ts'

export const GROUPS: Readonly<Record<string, readonly CommandName[]>> = {
  'Start here': ['run', 'create', 'list', 'status'],
  Watch: ['top', 'logs', 'attach', 'monitor', 'why'],
  Answer: ['questions', 'answer', 'send', 'finish'],
  Fix: ['resume', 'retry', 'takeover', 'unpark', 'kill'],
  'Set up': ['doctor', 'agents', 'config show', 'workspace add', 'service install', 'completion'],
}

const MOST_SHOWN = 5
/** How long the page waits for the daemon: without its answer the page is shown all the same. */
const PATIENCE_MS = 1500

/** Lines about what waits for a person; none when nothing does, or no daemon runs. Never starts a daemon. */
export async function needsYouNow(home: string): Promise<string[]> {
  const context = createContext({ home, json: false })
  const waiting = await waitingForPeople(context)
  const questions = waiting?.questions ?? []
  const outage = waiting?.tmux ? outageLines(waiting.tmux, Date.now()).map((line) => `  ${line}`) : []
  const count = questions.length + (outage.length > 0 ? 1 : 0)
  if (count === 0) return []
  const width = Math.min(context.width(), 120)
  const shown = questions.slice(0, MOST_SHOWN).flatMap((question) => lines(question, questions, width))
  const more = questions.length - MOST_SHOWN
  return [
    `Needs you now (${count}):`,
    ...outage,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more: holdfast questions`] : []),
  ]
}

async function waitingForPeople({
  runningDaemon,
}: Context): Promise<Api['GET /api/questions']['out'] | undefined> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE_MS).unref()
  })
  const asked = runningDaemon().call('GET /api/questions', { query: {} })
  return await Promise.race([asked, late]).catch((error) => {
    if (isHoldfastError(error)) return undefined
    throw error
  })
}

function lines(open: OpenQuestionJson, all: readonly OpenQuestionJson[], width: number): string[] {
  const { session_id, question } = open
  const isOnlyQuestion = all.filter((other) => other.session_id === session_id).length === 1
  return [
    shorten(`  ${session_id} ${sinceWhen(open, Date.now())}: ${oneLine(question)}`, Math.max(width, 40)),
    `    ${commandsFor(session_id, open, isOnlyQuestion).join(', ')}`,
  ]
}
