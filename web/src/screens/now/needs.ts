// Owns what needs a person, from what the daemon told: questions and tasks put together. Pure.
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import type { RuntimeJson } from '../../../../src/protocol/json/runtime-json.ts'
import type { ListedTaskJson } from '../../../../src/protocol/json/task-json.ts'
import { placeOf, type StateWord, stateWord, TO_BE_DECIDED } from '../../words/state.ts'

export type Need = {
  readonly id: string
  readonly title: string
  readonly state: StateWord
  readonly questions: readonly OpenQuestionJson[]
  /** Numbers of those that are not asked any more. */
  readonly closed: ReadonlySet<number>
  /** Null when the task needs nobody any more, and only its closed dialog is still shown. */
  readonly task: ListedTaskJson | null
  /** Its agent works in a terminal. */
  readonly hasScreen: boolean
}

/** An answer that was given here, and what it was about. */
type Answered = { readonly question: OpenQuestionJson; readonly title: string }

/**
 * A runtime is in no list of tasks: it is known by its own. The one that waits longest comes first, and last what a person
 * stopped: nobody waits for that. An answered question stays until its closed dialog was seen.
 */
export function needsOf(
  tasks: readonly ListedTaskJson[],
  open: readonly OpenQuestionJson[],
  given: Iterable<Answered>,
  runtimes: readonly Pick<RuntimeJson, 'task_id' | 'agent_id'>[],
): Need[] {
  const answered = [...given].filter(({ question }) => !open.some((other) => isSame(other, question)))
  const questions = [...open, ...answered.map(({ question }) => question)]
  const waiting = tasks.filter((task) => placeOf(task) === 'needs_you').map((task) => task.session_id)
  const ids = [...new Set([...questions.map((question) => question.session_id), ...waiting])]
  const needs = ids.map((id): Need => {
    const task = tasks.find((other) => other.session_id === id) ?? null
    const own = questions.filter((question) => question.session_id === id)
    const runtime = runtimes.find(({ task_id }) => task_id === id)
    const title =
      task?.title ??
      runtime?.agent_id ??
      answered.find(({ question }) => question.session_id === id)?.title ??
      id
    const closed = new Set(
      answered.flatMap(({ question }) => (question.session_id === id ? question.number : [])),
    )
    const hasScreen = runtime !== undefined || task?.mode === 'interactive'
    const state = stateOf(task, { questions: own, closed })
    return { id, title, task, hasScreen, questions: own, closed, state }
  })
  return needs.sort(
    (one, other) =>
      Number(wasStopped(one)) - Number(wasStopped(other)) || sinceOf(one).localeCompare(sinceOf(other)),
  )
}

function stateOf(task: ListedTaskJson | null, asked: Pick<Need, 'questions' | 'closed'>): StateWord {
  if (isAnswered(asked)) return { word: 'answered', tone: 'green' }
  if (task !== null) return stateWord(task)
  return asked.questions[0]?.asked_by === 'holdfast' ? TO_BE_DECIDED : { word: 'asks', tone: 'amber' }
}

/** Its questions are answered: it stays to be seen, and needs nobody. */
export const isAnswered = ({ questions, closed }: Pick<Need, 'questions' | 'closed'>) =>
  questions.length > 0 && questions.every(({ number }) => closed.has(number))

const isSame = (one: OpenQuestionJson, other: OpenQuestionJson) =>
  one.session_id === other.session_id && one.number === other.number

const wasStopped = ({ task }: Need) => task?.phase === 'stopped_by_person'

const sinceOf = ({ questions, task, id }: Need) => questions[0]?.asked_at ?? task?.started_at ?? id
