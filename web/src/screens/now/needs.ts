// Owns what needs a person, from what the daemon told: questions and tasks put together. Pure.
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import type { TaskJson } from '../../../../src/protocol/json/task-json.ts'
import type { GivenAnswer } from '../../data/orders/answers.ts'
import { placeOf, type StateWord, stateWord } from '../../words/state.ts'
import type { Need } from './need-card.tsx'

/** The one that waits longest comes first. An answered question stays until its closed dialog was seen. */
export function needsOf(
  tasks: readonly TaskJson[],
  open: readonly OpenQuestionJson[],
  given: Iterable<GivenAnswer>,
): Need[] {
  const answered = [...given].filter(({ question }) => !open.some((other) => isSame(other, question)))
  const questions = [...open, ...answered.map(({ question }) => question)]
  const waiting = tasks.filter((task) => placeOf(task) === 'needs_you').map((task) => task.session_id)
  const ids = [...new Set([...questions.map((question) => question.session_id), ...waiting])]
  const needs = ids.map((id): Need => {
    const task = tasks.find((other) => other.session_id === id) ?? null
    const own = questions.filter((question) => question.session_id === id)
    const title = task?.title ?? answered.find(({ question }) => question.session_id === id)?.title ?? id
    const closed = new Set(
      answered.flatMap(({ question }) => (question.session_id === id ? question.number : [])),
    )
    return { id, title, task, questions: own, closed, state: stateOf(task, own, closed) }
  })
  return needs.sort((one, other) => sinceOf(one).localeCompare(sinceOf(other)))
}

function stateOf(
  task: TaskJson | null,
  own: readonly OpenQuestionJson[],
  closed: ReadonlySet<number>,
): StateWord {
  if (own.length > 0 && own.every(({ number }) => closed.has(number)))
    return { word: 'answered', tone: 'green' }
  return task === null ? { word: 'asks', tone: 'amber' } : stateWord(task)
}

const isSame = (one: OpenQuestionJson, other: OpenQuestionJson) =>
  one.session_id === other.session_id && one.number === other.number

const sinceOf = ({ questions, task, id }: Need) => questions[0]?.asked_at ?? task?.started_at ?? id
