// Owns the line that follows an answer: on its way, or the dialog closed.
import { Check, X } from 'lucide-react'
import { forgetAnswer, type GivenAnswer } from '../data/answers.ts'
import { useWhy } from '../data/task.ts'
import { timeOf } from '../words/time.ts'
import { Evidence } from './evidence.tsx'
import { Problem } from './problem.tsx'

export function Dealt({ given }: { readonly given: GivenAnswer }) {
  const { state, answer, refused, question } = given
  if (state === 'refused' && refused !== undefined) return <Problem refused={refused} />
  return (
    <p aria-live="polite" className="flex flex-wrap items-center gap-x-2 text-sm">
      {state === 'closed' && <Check size={15} className="text-green" aria-hidden="true" />}
      <span>
        You answered <b className="font-semibold">{answer}</b>.
      </span>
      {state === 'sending' && <span className="pulse-soft text-mut">Being stored…</span>}
      {state === 'stored' && <span className="text-mut">Stored. The agent has not taken it yet.</span>}
      {state === 'closed' && (
        <>
          <span className="text-green">
            {question.answer_way === 'resume'
              ? 'It is settled: the agent is resumed with it.'
              : 'The dialog closed.'}
          </span>
          <Closing id={question.session_id} />
          <button
            type="button"
            aria-label="Put away"
            className="ml-auto rounded-sm p-1 text-mut hover:text-ink"
            onClick={() => forgetAnswer(question)}
          >
            <X size={14} />
          </button>
        </>
      )}
    </p>
  )
}

/** Who says so. */
function Closing({ id }: { readonly id: string }) {
  const last = useWhy(id).value?.story.at(-1)
  const [evidence] = last?.evidence ?? []
  if (last === undefined || evidence === undefined) return null
  return <Evidence source={evidence.source} fact={evidence.fact} at={timeOf(last.at)} />
}
