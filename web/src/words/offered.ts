// Owns which orders a person may give a task now, and which of them ask first. Pure. Its buttons and the palette offer the same.
import type { OpenQuestionJson } from '../../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../../src/protocol/json/task-json.ts'
import { canGoOnElsewhere } from './other-mode.ts'
import { capital } from './sentence.ts'
import { hasEnded } from './state.ts'

export type PlainOrder =
  | 'resume'
  | 'retry'
  | 'handback'
  | 'takeover'
  | 'unpark'
  | 'finish'
  | 'kill'
  | 'archive'

/** `choice`: the number of an option, from 1. `title`: of the task. */
export type TaskOrder =
  | { readonly kind: PlainOrder; readonly id: string }
  | {
      readonly kind: 'answer'
      readonly question: OpenQuestionJson
      readonly title: string
      readonly choice: string
    }

export type Offered = {
  /** What its button says. */
  readonly words: string
  readonly order: TaskOrder
  /** It is asked first; `what` says what will be lost. */
  readonly asks?: { readonly title: string; readonly what: string; readonly kind: 'danger' | 'plain' }
}

type Asked = Pick<
  TaskDetailJson,
  | 'session_id'
  | 'title'
  | 'task_status'
  | 'phase'
  | 'mode'
  | 'next'
  | 'agent_session_id'
  | 'stopping'
  | 'archived_at'
  | 'runtime'
>

export function ordersFor(task: Asked): Offered[] {
  if (task.runtime !== null) return hasEnded(task) ? [] : ofRuntime(task)
  return hasEnded(task) ? ofEnded(task) : ofLiving(task)
}

/** It has no end of its own, and lives in its terminal: it is stopped and started where the runtimes are. */
const ofRuntime = ({ session_id: id, phase, next }: Asked): Offered[] => [
  ...only(next.kind === 'awaits_person', resumeOrder(id)),
  ...only(isTimed(phase), goOnOrder(id)),
]

const isTimed = (phase: Asked['phase']) => phase === 'parked' || phase === 'backing_off'

function ofLiving(task: Asked): Offered[] {
  const { session_id: id, title, phase, next } = task
  const isTerminal = task.mode === 'interactive'
  const canMove = canGoOnElsewhere(task)
  return [
    ...only(next.kind === 'awaits_person', resumeOrder(id)),
    ...only(isTerminal && canMove, { words: 'Hand back', order: { kind: 'handback', id } }),
    ...only(isTimed(phase), goOnOrder(id)),
    ...only(phase === 'idle', { words: 'Finish', order: { kind: 'finish', id } }),
    ...only(!isTerminal && canMove, {
      words: 'Take over',
      order: { kind: 'takeover', id },
      asks: {
        kind: 'plain',
        title: `Take over “${title}”?`,
        what: 'Its run is ended, and the same conversation goes on in a terminal where you can type.',
      },
    }),
    {
      words: 'Kill',
      order: { kind: 'kill', id },
      asks: {
        kind: 'danger',
        title: `Kill “${title}”?`,
        what: 'Its agent and every process it started are ended. Files, output and story stay; the task can be resumed later.',
      },
    },
  ]
}

const ofEnded = ({ session_id: id, title, archived_at }: Asked): Offered[] => [
  resumeOrder(id),
  {
    words: 'Retry',
    order: { kind: 'retry', id },
    asks: {
      kind: 'plain',
      title: `Start “${title}” again?`,
      what: 'A new conversation begins with what was done so far as context. The old one is left behind.',
    },
  },
  ...only(archived_at === null, { words: 'Archive', order: { kind: 'archive', id } }),
]

const only = (is: boolean, offered: Offered): Offered[] => (is ? [offered] : [])

const resumeOrder = (id: string): Offered => ({ words: 'Resume', order: { kind: 'resume', id } })

const goOnOrder = (id: string): Offered => ({ words: 'Go on now', order: { kind: 'unpark', id } })

/** The ways on for a task that waits for a person and asks nothing. */
export const waysOn = (id: string, title: string): Offered[] => [resumeOrder(id), ...waysOut(id, title)]

/** From the beginning, or not at all. */
const waysOut = (id: string, title: string): Offered[] => [
  { words: 'Retry with context', order: { kind: 'retry', id } },
  { words: 'Close', order: { kind: 'kill', id }, asks: closing(title) },
]

const closing = (title: string) =>
  ({
    kind: 'danger',
    title: `Close “${title}”?`,
    what: 'The task ends as killed. Its files, output and story stay.',
  }) as const

/** What Holdfast asks has one option that ends the task. */
export function answersTo(question: OpenQuestionJson, title: string): Offered[] {
  if (!takesOptions(question)) return waysOut(question.session_id, title)
  return question.options.map((option, index) => {
    const order = { kind: 'answer', question, title, choice: String(index + 1) } as const
    if (question.asked_by === 'agent') return { words: option, order }
    return option === 'close'
      ? { words: 'Close', order, asks: closing(title) }
      : { words: capital(option), order }
  })
}

/** An agent that no answer can reach any more takes none. */
export const takesOptions = ({ asked_by, answer_way }: Pick<OpenQuestionJson, 'asked_by' | 'answer_way'>) =>
  asked_by === 'holdfast' || answer_way !== 'none'
