// Owns the bar for the chosen tasks: kill, retry, archive, answer, and what came of it.
import { useState } from 'react'
import { type BulkKind, type BulkOutcome, orderMany } from '../../../data/bulk.ts'
import { Refused } from '../../../data/call.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import type { Selection } from '../selection.ts'

export function BulkBar({ selection }: { readonly selection: Selection }) {
  const [outcome, setOutcome] = useState<BulkOutcome & { readonly kind: BulkKind }>()
  const [answer, setAnswer] = useState('')
  const ids = [...selection.ids]
  const order = async (kind: BulkKind) => {
    await orderMany(kind, ids, answer, (told) => setOutcome({ ...told, kind }))
    selection.set([])
  }
  if (ids.length === 0)
    return outcome === undefined ? null : <Outcome outcome={outcome} onClose={() => setOutcome(undefined)} />
  const many = ids.length === 1 ? 'one task' : `${ids.length} tasks`
  return (
    <div
      role="toolbar"
      aria-label="The chosen tasks"
      className="sticky bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-edge bg-panel px-3 py-2 shadow-high max-md:bottom-20"
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
      <Button onClick={() => order('archive').catch(unlessRefused)}>Archive</Button>
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void order('answer')
        }}
      >
        <input
          aria-label="One answer for all of them"
          placeholder="One answer for all"
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
          className="w-40 rounded-md border border-line bg-panel px-2.5 py-1 placeholder:text-mut"
        />
        <Button type="submit" disabled={answer.trim() === ''}>
          Answer
        </Button>
      </form>
      <Button kind="quiet" onClick={() => selection.set([])}>
        Choose none
      </Button>
    </div>
  )
}

const WORDS: Readonly<Record<BulkKind, string>> = {
  kill: 'killed',
  archive: 'archived',
  retry: 'started again',
  answer: 'answered',
}

const Outcome = ({
  outcome: { kind, done, total, failures },
  onClose,
}: {
  readonly outcome: BulkOutcome & { readonly kind: BulkKind }
  readonly onClose: () => void
}) => (
  <div role="status" className="rounded-lg border border-line bg-panel px-4 py-3 shadow-lift">
    <p className="flex items-center">
      {done - failures.length} of {total} {WORDS[kind]}.
      <Button kind="quiet" className="ml-auto" onClick={onClose}>
        Put away
      </Button>
    </p>
    <ul className="text-sm">
      {failures.map(({ id, message }) => (
        <li key={id}>
          <span className="text-mut">{id}:</span> {message}
        </li>
      ))}
    </ul>
  </div>
)

/** A refusal of the whole order is shown where it was asked for; here there is nothing more to say. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error
}
