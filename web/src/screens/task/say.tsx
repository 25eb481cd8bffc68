// Owns the one sentence of truth below a task's title: what it does, why, what comes next and when, and who says so.
import type { WhyJson } from '../../../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { Sentence, Until } from '../../parts/age.tsx'
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
  return (
    <p className="-mt-3 text-mut">
      <span className="text-ink">
        <Sentence words={sentence(whatOf(task, reason))} />{' '}
      </span>
      {at === null ? (
        <Sentence words={sentence(next.what.replace(/^nothing: /, ''))} />
      ) : (
        <>
          Next, <Until at={at} />: <Sentence words={next.what.replace(/[.]?$/, '.')} />
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

/** The question itself stands below, with its options; Holdfast's own begins with the reason. */
function whatOf({ questions }: TaskDetailJson, reason: string): string {
  if (questions.some(({ asked_by }) => asked_by === 'holdfast')) return 'it is for you to decide'
  return questions.some(({ question }) => isReason(question, reason)) ? 'it asks' : reason
}
