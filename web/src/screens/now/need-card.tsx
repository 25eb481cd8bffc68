// Owns one card of what needs a person: a question, or a task that only a person can move on.
import { Link } from 'wouter'
import type { ListedTaskJson, NextJson } from '../../../../src/protocol/json/task-json.ts'
import { useWhy } from '../../data/task/task.ts'
import { Lasting, Sentence } from '../../parts/age.tsx'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Evidence } from '../../parts/evidence.tsx'
import { OfferedButton } from '../../parts/order/offered-button.tsx'
import { Question } from '../../parts/question/question.tsx'
import { waysOn } from '../../words/offered.ts'
import { sentence } from '../../words/sentence.ts'
import { timeOf } from '../../words/time.ts'
import { isAnswered, type Need } from './needs.ts'

export function NeedCard({ need }: { readonly need: Need }) {
  const { id, title, state, questions, closed, task, hasScreen } = need
  const why = useWhy(id).value
  const last = why?.story.at(-1)
  const [evidence] = last?.evidence ?? []
  // It failed, and nothing but a person's decision moves it on.
  const isOwn = questions.some(({ asked_by, number }) => asked_by === 'holdfast' && !closed.has(number))
  const mark = isOwn && task?.phase !== 'stopped_by_person' ? 'red' : state.tone
  const since = isAnswered(need) ? undefined : (questions[0]?.asked_at ?? last?.at)
  return (
    <Card mark={mark === 'red' || mark === 'amber' ? mark : 'grey'} label={title} task={id}>
      <div className="flex flex-col gap-3 px-4 py-3.5">
        <div className="flex items-center gap-2.5 max-md:flex-wrap">
          <Chip {...state} />
          <Link
            href={`/tasks/${id}`}
            className="min-w-0 truncate font-semibold hover:underline max-md:order-last max-md:line-clamp-3 max-md:w-full max-md:whitespace-normal max-md:wrap-anywhere"
          >
            {title}
          </Link>
          <span className="ml-auto text-mut text-sm">
            {since !== undefined && <Lasting at={timeOf(since)} />}
          </span>
        </div>
        {questions.map((question) => (
          <Question
            key={question.number}
            question={question}
            title={title}
            closed={closed.has(question.number)}
          />
        ))}
        {questions.length === 0 && task !== null && <WithoutQuestion task={task} next={why?.next} />}
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-mut text-sm">
          {task !== null && (
            <span>
              {task.agent} · {task.project.split('/').at(-1)}
            </span>
          )}
          {/* Of a closed dialog its own line tells who says so. */}
          {last !== undefined && evidence !== undefined && !isAnswered(need) && (
            <Evidence source={evidence.source} fact={evidence.fact} at={timeOf(last.at)} />
          )}
          <span className="ml-auto flex gap-3">
            <Link
              href={`/tasks/${id}/${hasScreen ? 'screen' : 'output'}`}
              className="text-accent hover:underline"
            >
              {hasScreen ? 'Screen' : 'Output'}
            </Link>
            <Link href={`/tasks/${id}/why`} className="text-accent hover:underline">
              Why
            </Link>
          </span>
        </div>
      </div>
    </Card>
  )
}

/** Stopped by a person, or stuck: what can be done. One that takes an answer, or is being ended, goes on by itself. */
function WithoutQuestion({
  task,
  next,
}: {
  readonly task: ListedTaskJson
  readonly next: NextJson | undefined
}) {
  return (
    <>
      <p>
        {task.reason !== null && <Sentence words={task.reason} />}
        {next !== undefined && next.what !== task.reason && (
          <span className="text-mut"> {sentence(next.what)}</span>
        )}
      </p>
      {next?.kind === 'awaits_person' && (
        <div className="flex flex-wrap gap-2">
          {waysOn(task.session_id, task.title).map((offered) => (
            <OfferedButton key={offered.words} offered={offered} />
          ))}
        </div>
      )}
    </>
  )
}
