// Owns what the board asks the daemon to do, and how the outcome is told.
import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import { asHoldfastError } from '../../domain/errors.ts'
import type { OpenQuestionJson } from '../../protocol/json/recovery-json.ts'
import type { QuestionJson, TaskDetailJson } from '../../protocol/json/task-json.ts'
import type { TriggerDetailJson } from '../../protocol/json/trigger-json.ts'
import { nextText } from '../render/text/next-text.ts'
import { answeredText, sentLines } from '../render/text/sent-text.ts'
import { triggerOutcome } from '../render/text/trigger-text.ts'
import { waysOutText } from '../render/text/ways-out-text.ts'
import { whyLines } from '../render/text/why-text.ts'
import type { DaemonClient } from '../wire/client.ts'
import { givenEnv } from '../wire/given-env.ts'
import type { Note } from './input/state.ts'

export type RequestNeeds = {
  readonly daemon: () => DaemonClient
  readonly env: Readonly<Record<string, string | undefined>>
  /** The daemon's clock, epoch ms. */
  readonly now: () => number
}

export const good = (text: string): Note => ({ text, tone: 'good' })
export const plain = (text: string): Note => ({ text, tone: 'plain' })

/** What went wrong, and what can be done. */
export function badNews(error: unknown, id: string): Note {
  const { message, code, waysOut } = asHoldfastError(error)
  const toTry = waysOut.length > 0 ? waysOutText(waysOut) : errorCatalogue[code].hint.replaceAll('<id>', id)
  return { text: `${message} (${code}) ${toTry}`, tone: 'bad' }
}

export type BoardRequests = ReturnType<typeof boardRequests>

export function boardRequests({ daemon, env, now }: RequestNeeds) {
  const task = (id: string): Promise<TaskDetailJson> => daemon().call('GET /api/tasks/:id', { id })
  return {
    task,
    questions: async () => (await daemon().call('GET /api/questions', { query: {} })).questions,

    kill: async (id: string): Promise<Note> => {
      const { already_ended, task } = await daemon().call('POST /api/tasks/:id/kill', { id, body: {} })
      return already_ended ? plain(`${id} has ended before (${task.status}).`) : good(`Killed: ${id}`)
    },

    retry: async (id: string): Promise<Note> => {
      const task = await daemon().call('POST /api/tasks/:id/retry', { id, body: { env: givenEnv(env) } })
      // It may be at work by then, with nothing more to say.
      const next = task.next.what.startsWith('nothing') ? '' : ` Next: ${nextText(task, now())}`
      return good(`${id} starts again.${next}`)
    },

    /** `isOver`: the agent took it, so that its dialog is closed. */
    answer: async (id: string, number: number, choice: string): Promise<{ note: Note; isOver: boolean }> => {
      const body = { choice, question: number }
      const answered = await daemon().call('POST /api/tasks/:id/answer', { id, body })
      const { settled, question } = answered
      const closed = settled && question.answer_way === 'at_once'
      const text = `${answeredText(answered)}${closed ? ' The dialog closed.' : ''}`
      return {
        note: settled ? good(text) : plain(text),
        isOver: settled || question.answer_way !== 'at_once',
      }
    },

    /** `trigger`: to be followed until the agent has it; null when it has it already. */
    send: async (id: string, text: string, key: string): Promise<{ note: Note; trigger: string | null }> => {
      const sent = await daemon().call('POST /api/tasks/:id/inputs', { id, body: { prompt: text, key } })
      const told = sentLines(sent, now())
        .map((one) => one.trim())
        .join(' ')
      return {
        note: sent.heard ? good(told) : plain(told),
        trigger: sent.heard ? null : sent.trigger_id,
      }
    },

    trigger: async (id: string): Promise<{ note: Note; isOver: boolean }> => {
      const trigger = await daemon().call('GET /api/triggers/:id', { id, query: {} })
      const text = triggerOutcome(trigger, now())
        .map((one) => one.trim())
        .join(' ')
      return { note: { text, tone: toneOf(trigger) }, isOver: OVER.has(trigger.state) }
    },

    why: async (id: string): Promise<string[]> =>
      whyLines(await daemon().call('GET /api/tasks/:id/why', { id }), now()),
  }
}

const OVER: ReadonlySet<string> = new Set(['submitted', 'acknowledged', 'done', 'failed', 'unconfirmed'])
const toneOf = ({ state }: TriggerDetailJson): Note['tone'] =>
  ['submitted', 'acknowledged', 'done'].includes(state) ? 'good' : state === 'failed' ? 'bad' : 'plain'

/** The oldest question of the session that an answer can reach, or why there is none. */
export function toAnswer(session_id: string, all: readonly OpenQuestionJson[]): QuestionJson | Note {
  const questions = all.filter((one) => one.session_id === session_id)
  const question = questions.find(({ answer_way }) => answer_way !== 'none')
  if (question !== undefined) return question
  return plain(
    questions.length === 0
      ? `${session_id} asks nothing.`
      : `No answer can reach ${session_id}. Press r to start it again, or k to end it.`,
  )
}
