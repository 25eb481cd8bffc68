// Owns the line that follows an answer: on its way, the dialog closed, the task ended, or somebody else was first.
import { Check, X } from 'lucide-react'
import { forgetAnswer, type GivenAnswer } from '../../data/orders/answers.ts'
import { useWhy } from '../../data/task/task.ts'
import { useTaskEvents } from '../../data/task/task-events.ts'
import { closingStep } from '../../words/question.ts'
import { timeOf } from '../../words/time.ts'
import { Ago } from '../age.tsx'
import { Evidence } from '../evidence.tsx'
import { Problem } from '../problem.tsx'

/** `closed`: the question is not asked any more. */
export function Dealt({ given, closed }: { readonly given: GivenAnswer; readonly closed: boolean }) {
  const { state, answer, refused, question } = given
  if (state === 'refused' && refused !== undefined)
    return closed ? <NotTaken given={given} /> : <Problem refused={refused} />
  return (
    <p aria-live="polite" className="flex flex-wrap items-center gap-x-2 text-sm">
      {state === 'closed' && <Check size={15} className="text-green" aria-hidden="true" />}
      <span>
        You answered <b className="font-semibold">{answer}</b>.
      </span>
      {state === 'sending' && <span className="pulse-soft text-mut">Being stored…</span>}
      {state === 'stored' && <span className="text-mut">Stored. The agent has not taken it yet.</span>}
      {state === 'ended' && (
        <span className="text-mut">The task has ended: nothing waits for this answer any more.</span>
      )}
      {state === 'closed' && (
        <>
          <span className="text-green">{closedWords(question)}</span>
          <Closing question={question} />
        </>
      )}
      {/* A question that is still shown as open would be offered again. */}
      {(closed || state === 'closed') && state !== 'sending' && <PutAway question={question} />}
    </p>
  )
}

function closedWords({ asked_by, answer_way }: GivenAnswer['question']): string {
  if (asked_by === 'holdfast') return 'It is carried out.'
  return answer_way === 'resume' ? 'It is settled: the agent is resumed with it.' : 'The dialog closed.'
}

/** An answer that was refused stays until it was seen: whoever gave it would think that it counts. */
function NotTaken({ given: { answer, question, refused } }: { readonly given: GivenAnswer }) {
  const events = useTaskEvents(question.session_id, 'question_answered').value
  const counted = events?.find(({ number }) => number === question.number)
  const words = typeof counted?.option === 'number' ? question.options[counted.option] : undefined
  return (
    <p role="alert" className="flex flex-wrap items-center gap-x-2 text-sm">
      {words === undefined && <span className="text-red">{refused?.message}</span>}
      {words !== undefined && words !== answer && (
        <span className="text-red">Your answer “{answer}” was not taken: somebody was first.</span>
      )}
      {counted === undefined ? (
        <span>It is not asked any more.</span>
      ) : (
        <span>
          {words === undefined ? 'An answer' : <b className="font-semibold">{words}</b>} by {counted.by}{' '}
          counts, given <Ago at={counted.at} />.
        </span>
      )}
      <PutAway question={question} />
    </p>
  )
}

const PutAway = ({ question }: Pick<GivenAnswer, 'question'>) => (
  <button
    type="button"
    aria-label="Put away"
    className="ml-auto rounded-sm p-1 text-mut hover:text-ink"
    onClick={() => forgetAnswer(question)}
  >
    <X size={14} />
  </button>
)

/** Who says so. */
function Closing({ question: { session_id, asked_at } }: Pick<GivenAnswer, 'question'>) {
  const step = closingStep(useWhy(session_id).value?.story ?? [], asked_at)
  const [evidence] = step?.evidence ?? []
  if (step === undefined || evidence === undefined) return null
  return <Evidence source={evidence.source} fact={evidence.fact} at={timeOf(step.at)} />
}
