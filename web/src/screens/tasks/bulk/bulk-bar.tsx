// Owns the bar for the chosen tasks: kill, retry, archive, answer, and what came of it.
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { type BulkKind, type BulkOutcome, orderMany } from '../../../data/orders/bulk.ts'
import { useOrder } from '../../../data/orders/use-order.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirm } from '../../../parts/order/confirm.tsx'
import { Problem } from '../../../parts/problem.tsx'
import type { Selection } from '../selection.ts'

/** `titleOf`: what a task is about, as far as it is known. */
export function BulkBar({
  selection,
  titleOf,
}: {
  readonly selection: Selection
  readonly titleOf: (id: string) => string
}) {
  const [outcome, setOutcome] = useState<BulkOutcome & { readonly kind: BulkKind }>()
  const [answer, setAnswer] = useState('')
  const ids = [...selection.ids]
  const latest = useRef(selection)
  latest.current = selection
  const order = async (kind: BulkKind) => {
    setOutcome(undefined)
    await orderMany(kind, ids, answer, (told) => setOutcome({ ...told, kind }))
    // Others may have been chosen meanwhile.
    latest.current.set([...latest.current.ids].filter((id) => !ids.includes(id)))
  }
  const archive = useOrder(() => order('archive'))
  const answerAll = useOrder(() => order('answer'))
  const refused = archive.refused ?? answerAll.refused
  if (ids.length === 0 && outcome === undefined) return null
  const many = ids.length === 1 ? 'one task' : `${ids.length} tasks`
  return (
    <div className="sticky bottom-4 z-20 flex flex-col gap-2 max-md:bottom-20">
      {outcome !== undefined && (
        <Outcome outcome={outcome} titleOf={titleOf} onClose={() => setOutcome(undefined)} />
      )}
      {ids.length > 0 && (
        <div
          role="toolbar"
          aria-label="The chosen tasks"
          className="mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-edge bg-panel px-3 py-2 shadow-high"
        >
          <span className="px-1 font-semibold">{many} chosen</span>
          <Confirm
            button="Kill"
            title={`Kill ${many}?`}
            what="Their agents and every process they started are ended. Files, output and stories stay."
            order={() => order('kill')}
          />
          <Confirm
            kind="plain"
            button="Retry"
            title={`Start ${many} again?`}
            what="Each begins a new conversation with what was done so far as context."
            order={() => order('retry')}
          />
          <Button busy={archive.busy} onClick={() => void archive.give()}>
            Archive
          </Button>
          <form
            className="flex gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              void answerAll.give()
            }}
          >
            <input
              aria-label="One answer for all of them"
              placeholder="One answer for all"
              value={answer}
              onChange={(event) => setAnswer(event.target.value)}
              className="w-40 rounded-md border border-line bg-panel px-2.5 py-1 placeholder:text-mut"
            />
            <Button type="submit" busy={answerAll.busy} disabled={answer.trim() === ''}>
              Answer
            </Button>
          </form>
          <Button kind="quiet" onClick={() => selection.set([])}>
            Choose none
          </Button>
          {refused !== undefined && <Problem refused={refused} />}
        </div>
      )}
    </div>
  )
}

const WORDS: Readonly<Record<BulkKind, { done: string; already: string }>> = {
  kill: { done: 'killed', already: 'had ended already' },
  archive: { done: 'archived', already: 'in the archive already' },
  retry: { done: 'started again', already: '' },
  answer: { done: 'answered', already: '' },
}

const Outcome = ({
  outcome: { kind, done, total, already, failures },
  titleOf,
  onClose,
}: {
  readonly outcome: BulkOutcome & { readonly kind: BulkKind }
  readonly titleOf: (id: string) => string
  readonly onClose: () => void
}) => (
  <div role="status" className="rounded-lg border border-edge bg-panel px-4 py-3 shadow-high">
    <p className="flex items-center">
      {done - already - failures.length} of {total} {WORDS[kind].done}
      {already > 0 && `, ${already} ${WORDS[kind].already}`}.
      <Button kind="quiet" className="ml-auto" onClick={onClose}>
        Put away
      </Button>
    </p>
    {failures.length > 0 && (
      <ul aria-label="Refused" className="max-h-48 overflow-auto text-sm">
        {failures.map(({ id, message }) => (
          <li key={id}>
            <Link href={`/tasks/${id}`} className="font-semibold hover:underline">
              {titleOf(id)}
            </Link>{' '}
            <span className="text-red">{message}</span>
          </li>
        ))}
      </ul>
    )}
  </div>
)
