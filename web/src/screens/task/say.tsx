// Owns the one sentence of truth below a task's title: what it does, why, what comes next and when, and who says so.
import type { WhyJson } from '../../../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { Until } from '../../parts/age.tsx'
import { Evidence } from '../../parts/evidence.tsx'
import { isReason } from '../../words/question.ts'
import { sentence } from '../../words/sentence.ts'
import { timeOf, timeOrNull } from '../../words/time.ts'

export function Say({ task, why }: { readonly task: TaskDetailJson; readonly why: WhyJson | undefined }) {
  const last = why?.story.at(-1)
  const [evidence] = last?.evidence ?? []
  const next = task.next
  const at = timeOrNull(next.at)
  const reason = task.reason ?? last?.reason ?? 'no reason is known'
  // The question itself stands below, with its options; Holdfast's own begins with the reason.
  const isAsked = task.questions.some(
    ({ question, asked_by }) => asked_by === 'holdfast' || isReason(question, reason),
  )
  const what = isAsked ? 'it asks' : reason
  return (
    <p className="-mt-3 text-mut">
      <span className="text-ink">{sentence(what)} </span>
      {at === null ? (
        sentence(next.what.replace(/^nothing: /, ''))
      ) : (
        <>
          Next, <Until at={at} />: {next.what.replace(/[.]?$/, '.')}
        </>
      )}
      {last !== undefined && evidence !== undefined && (
        <>
          {' '}
          <Evidence source={evidence.source} fact={evidence.fact} at={timeOf(last.at)} />
        </>
      )}
    </p>
  )
}
