// Owns a question: its exact words, its options as equal buttons, and, for an agent, room for an answer in words.
import { useState } from 'react'
import { Link } from 'wouter'
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import { answerKey, awaitsAnswer, giveAnswer, givenAnswers } from '../../data/orders/answers.ts'
import { useDraft } from '../../data/orders/drafts.ts'
import { giveOrder } from '../../data/orders/orders.ts'
import { useSignal } from '../../data/signal.ts'
import { answersTo, type Offered, takesOptions } from '../../words/offered.ts'
import { askedParts } from '../../words/question.ts'
import { capital, sentence } from '../../words/sentence.ts'
import { Sentence } from '../age.tsx'
import { Button } from '../button.tsx'
import { OfferedButton } from '../order/offered-button.tsx'
import { Dealt } from './dealt.tsx'
import { Exact } from './exact.tsx'

/**
 * `closed`: it is not asked any more; what became of the answer to it is still told. `answered`: what comes next, where
 * somebody has answered already and the agent has not taken it yet.
 */
export function Question({
  question,
  title,
  closed = false,
  answered,
}: {
  readonly question: OpenQuestionJson
  readonly title: string
  readonly closed?: boolean
  readonly answered?: string
}) {
  const given = useSignal(givenAnswers).get(answerKey(question))
  const { words, exact } = askedParts(question.question)
  const offered = answersTo(question, title)
  const isOpen = !closed && answered === undefined && awaitsAnswer(given)
  return (
    <div className="flex flex-col gap-3" data-question={question.number}>
      <p className="whitespace-pre-wrap">
        {question.asked_by === 'holdfast' ? <Sentence words={capital(words)} /> : words}
      </p>
      {exact !== null && <Exact text={exact} />}
      {isOpen && question.asked_by === 'holdfast' && <Ways offered={offered} />}
      {isOpen && question.asked_by === 'agent' && takesOptions(question) && (
        <Options question={question} title={title} offered={offered} />
      )}
      {isOpen && !takesOptions(question) && (
        <>
          <p className="text-mut text-sm">
            No answer can reach the agent any more. The task can start again or end.
          </p>
          <Ways offered={offered} />
        </>
      )}
      {answered !== undefined && given === undefined && (
        <p className="text-mut text-sm">It is answered. {sentence(answered)}</p>
      )}
      {isOpen && question.answer_way === 'resume' && (
        <p className="text-mut text-sm">The agent waits outside; it is resumed with your answer.</p>
      )}
      {given !== undefined && <Dealt given={given} closed={closed} />}
    </div>
  )
}

/** Only they can be carried out: words cannot. */
const Ways = ({ offered }: { readonly offered: readonly Offered[] }) => (
  <div className="flex flex-wrap gap-2">
    {offered.map((way) => (
      <OfferedButton key={way.words} offered={way} />
    ))}
  </div>
)

/** Equal buttons: none of them looks like the one to press. */
function Options({
  question,
  title,
  offered,
}: {
  readonly question: OpenQuestionJson
  readonly title: string
  readonly offered: readonly Offered[]
}) {
  const { takes_text } = question
  const draft = useDraft(answerKey(question))
  const [inWords, setInWords] = useState(offered.length === 0 || draft[0] !== '')
  return (
    <>
      <div className="flex flex-wrap gap-2 max-md:flex-col">
        {offered.map(({ words, order }, index) => (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: options of one question never move, and may repeat.
            key={index}
            onClick={() => void giveOrder(order)}
            className="max-w-full justify-start text-left max-md:w-full max-md:py-2.5"
          >
            <span className="text-mut">{index + 1}</span> {words}
          </Button>
        ))}
        {takes_text && !inWords && (
          <Button kind="quiet" onClick={() => setInWords(true)} className="max-md:justify-start">
            Answer in words…
          </Button>
        )}
      </div>
      {takes_text && inWords && (
        <InWords draft={draft} onAnswer={(text) => void giveAnswer(question, title, text)} />
      )}
      {!takes_text && offered.length === 0 && (
        <p className="text-mut text-sm">
          Only its terminal takes the answer:{' '}
          <Link href={`/tasks/${question.session_id}/screen`} className="text-accent hover:underline">
            Screen
          </Link>
        </p>
      )}
    </>
  )
}

function InWords({
  draft: [text, write],
  onAnswer,
}: {
  readonly draft: ReturnType<typeof useDraft>
  readonly onAnswer: (choice: string) => void
}) {
  return (
    <form
      className="flex gap-2 max-md:flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onAnswer(text)
      }}
    >
      <textarea
        rows={1}
        aria-label="Answer in words"
        placeholder="Your answer"
        value={text}
        onChange={(event) => write(event.target.value)}
        className="field-sizing-content max-h-40 min-w-0 flex-1 rounded-md border border-edge bg-panel px-3 py-1.5"
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Send answer
      </Button>
    </form>
  )
}
