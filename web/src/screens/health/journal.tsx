// Owns what did not follow from events of the journal: those that were set aside, and who keeps old ones from being deleted.
import { Link } from 'wouter'
import type { JournalJson, SetAsideJson } from '../../../../src/protocol/json/journal-json.ts'
import { dropEvent, retryEvents, useJournal } from '../../data/installation/journal.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Ago } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Rows } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/order/confirm.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'
import { heldWords, journalWord, whySetAside } from '../../words/journal.ts'
import { timeOf } from '../../words/time.ts'

export function Journal() {
  const journal = useJournal()
  return <Stale of={journal}>{(answer) => <Known journal={answer} />}</Stale>
}

function Known({ journal }: { readonly journal: JournalJson }) {
  const { set_aside, subscribers, missed } = journal
  const held = heldWords(subscribers)
  return (
    <>
      <Card label="Journal" className="flex flex-col gap-2 px-4 py-3.5">
        <p className="flex flex-wrap items-center gap-2.5">
          <Chip {...journalWord(journal)} />
          {set_aside.length === 0 ? 'No event is set aside.' : setAsideWords(set_aside.length)}
        </p>
        {held === undefined ? (
          <p className="text-mut text-sm">Nobody keeps old events from being deleted.</p>
        ) : (
          <p className="text-sm">
            {held} The reason is usually in the log: <Copy text="holdfast doctor" />
          </p>
        )}
        {missed.map(({ at, what }) => (
          <p key={`${at} ${what}`} className="text-sm">
            Events were deleted before they were handled, <Ago at={timeOf(at)} />: {what}. Look at sessions
            and threads that should have been told something since then.
          </p>
        ))}
        {set_aside.length > 0 && <TryAgain />}
      </Card>
      {set_aside.length > 0 && (
        <Rows label="Events that are set aside">
          {set_aside.map((event) => (
            <SetAside key={event.id} event={event} />
          ))}
        </Rows>
      )}
    </>
  )
}

const setAsideWords = (count: number) =>
  `${count === 1 ? 'One event is' : `${count} events are`} set aside: what should follow from ${count === 1 ? 'it' : 'them'} has not happened.`

function TryAgain() {
  const retry = useOrder(retryEvents)
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <Button busy={retry.busy} onClick={() => void retry.give()}>
          Try them again
        </Button>
        <span className="text-mut text-sm">
          When the cause is gone. What fails again is set aside again, with its reason.
        </span>
      </p>
      {retry.refused !== undefined && <Problem refused={retry.refused} />}
    </>
  )
}

function SetAside({ event }: { readonly event: SetAsideJson }) {
  const { id, subscriber, kind, seq, session_id, at } = event
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-1 px-4 py-2.5">
      <span className="flex min-w-0 flex-1 basis-80 flex-col">
        <span>
          <b className="font-semibold">{subscriber}</b> failed on <code>{kind}</code>, event {seq}
          {session_id !== null && (
            <>
              {' of '}
              <Link href={`/tasks/${session_id}`} className="text-accent hover:underline">
                {session_id}
              </Link>
            </>
          )}
        </span>
        <span className="wrap-anywhere whitespace-pre-wrap text-mut text-sm">{whySetAside(event)}</span>
      </span>
      <span className="text-mut text-sm">
        <Ago at={timeOf(at)} />
      </span>
      <Confirm
        button="Drop"
        title={`Drop the event ${id}?`}
        what={`What should follow from it never will: ${subscriber} goes on as if it had been handled. Events that wait behind it are handled.`}
        order={() => dropEvent(id)}
      />
    </li>
  )
}
