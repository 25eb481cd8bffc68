// Owns one thread: who takes part, why it is blocked, its messages as they come, and what a person adds.
import { useState } from 'react'
import { Link } from 'wouter'
import type { MessageJson, ThreadDetailJson } from '../../../../src/protocol/json/thread-json.ts'
import { letThreadGoOn, useMessages, useThread } from '../../data/installation/threads.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Ago } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'
import { readWords } from '../../words/read-by.ts'
import { timeOf } from '../../words/time.ts'
import { Messages, pageBefore } from './messages.tsx'
import { participant } from './participant.ts'
import { Post } from './post.tsx'

export function Thread({ id }: { readonly id: string }) {
  const thread = useThread(id)
  return (
    <div className="min-w-0">
      <p className="mb-2 lg:hidden">
        <Link href="/threads" className="inline-flex min-h-11 items-center text-accent">
          All threads
        </Link>
      </p>
      <Stale of={thread}>{(value) => <Known key={value.thread_id} thread={value} />}</Stale>
      <Post id={id} />
    </div>
  )
}

function Known({ thread }: { readonly thread: ThreadDetailJson }) {
  const [from, setFrom] = useState(pageBefore(thread.messages))
  const known = useMessages(thread.thread_id, from)
  return (
    <div>
      <Head thread={thread} messages={known.value ?? []} />
      <Messages thread={thread} known={known} from={from} onEarlier={setFrom} />
    </div>
  )
}

function Head({
  thread,
  messages,
}: {
  readonly thread: ThreadDetailJson
  readonly messages: readonly MessageJson[]
}) {
  return (
    <div>
      <h2 className="font-semibold text-lg">{thread.title}</h2>
      <p className="text-mut text-sm">
        begun by {participant(thread.created_by)} <Ago at={timeOf(thread.created_at)} />
      </p>
      <ul aria-label="Members" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {thread.members.map((member) => (
          <li key={member.name} title={member.not_woken ?? undefined}>
            {participant(member.name)}{' '}
            <span className="text-mut">
              {readWords(member, messages, thread.messages)}
              {member.not_woken !== null && `; not woken: ${member.not_woken}`}
            </span>
          </li>
        ))}
      </ul>
      {thread.blocked !== null && <Blocked id={thread.thread_id} blocked={thread.blocked} />}
    </div>
  )
}

function Blocked({
  id,
  blocked,
}: {
  readonly id: string
  readonly blocked: NonNullable<ThreadDetailJson['blocked']>
}) {
  const [why, setWhy] = useState('')
  const go = useOrder(() => letThreadGoOn(id, why))
  return (
    <Card mark="red" label="Blocked" className="mt-3 px-4 py-3">
      <p>
        <Chip word="blocked" tone="red" /> {blocked.why}{' '}
        <span className="text-mut text-sm">
          <Ago at={timeOf(blocked.at)} />. Agents may not post until somebody lets it go on.
        </span>
      </p>
      <div className="mt-3 grid gap-3 md:grid-cols-[1fr_auto] md:items-end">
        <Field label="Why it may go on">
          {(wired) => (
            <TextInput
              {...wired}
              value={why}
              placeholder="may be empty"
              onChange={(event) => setWhy(event.target.value)}
            />
          )}
        </Field>
        <Button kind="primary" busy={go.busy} onClick={() => void go.give()}>
          Let it go on
        </Button>
      </div>
      {go.refused !== undefined && <Problem refused={go.refused} />}
    </Card>
  )
}
