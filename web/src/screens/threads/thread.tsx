// Owns one thread: who takes part, its messages as they come, and what a person adds.
import { useState } from 'react'
import { Link } from 'wouter'
import type { MessageJson, ThreadDetailJson } from '../../../../src/protocol/json/thread-json.ts'
import { order } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { useMessages, useThread } from '../../data/house/threads.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Ago, At } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'
import type { StateWord } from '../../words/state.ts'
import { timeOf } from '../../words/time.ts'
import { Post } from './post.tsx'

export function Thread({ id }: { readonly id: string }) {
  const thread = useThread(id)
  const messages = useMessages(id)
  return (
    <div className="min-w-0">
      <p className="mb-2 lg:hidden">
        <Link href="/threads" className="inline-flex min-h-11 items-center text-accent">
          All threads
        </Link>
      </p>
      <Stale of={thread}>{(value) => <Head thread={value} />}</Stale>
      <Stale of={messages}>
        {({ messages: all, whole }) => (
          <div>
            <ol aria-label="Messages" className="mt-4 flex flex-col gap-3">
              {all.map((message) => (
                <Message key={message.number} message={message} />
              ))}
            </ol>
            {all.length === 0 && <p className="mt-4 text-mut">Nobody has written yet.</p>}
            {!whole && (
              <p className="mt-3 text-mut text-sm">
                Only the first {all.length} messages are shown here; all:{' '}
                <code>holdfast thread show {id}</code>
              </p>
            )}
          </div>
        )}
      </Stale>
      <Post id={id} />
    </div>
  )
}

function Head({ thread }: { readonly thread: ThreadDetailJson }) {
  return (
    <div>
      <h2 className="font-semibold text-lg">{thread.title}</h2>
      <p className="text-mut text-sm">
        begun by {participant(thread.created_by)} <Ago at={timeOf(thread.created_at)} />
      </p>
      <ul aria-label="Members" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {thread.members.map(({ name, read, not_woken }) => (
          <li key={name} title={not_woken ?? undefined}>
            {participant(name)}{' '}
            <span className="text-mut">
              {read >= thread.messages ? 'has read all' : `has read ${read} of ${thread.messages}`}
              {not_woken !== null && `; not woken: ${not_woken}`}
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
  const go = useOrder(async () => {
    await order('POST /api/threads/:id/continue', { id, body: why === '' ? {} : { why } })
    refresh(['threads'])
  })
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

/** People are named as `person:<name>`, tasks as `task:<id>`, runtimes as `<role>@<workspace>`. */
const participant = (name: string) => name.replace(/^(person|task):/, '')

const KINDS: Readonly<Record<MessageJson['kind'], StateWord | undefined>> = {
  message: undefined,
  finding: { word: 'finding', tone: 'violet' },
  status: { word: 'status', tone: 'blue' },
  result: { word: 'result', tone: 'green' },
}

function Message({ message: { author, at, kind, refs, text, number } }: { readonly message: MessageJson }) {
  const word = KINDS[kind]
  return (
    <li className="rounded-lg border border-line bg-panel px-4 py-3 shadow-lift">
      <p className="flex flex-wrap items-center gap-x-2.5 text-sm">
        <b className="font-semibold">{participant(author)}</b>
        {word !== undefined && <Chip {...word} />}
        <span className="ml-auto text-mut">
          {number}, <At at={timeOf(at)} />
        </span>
      </p>
      <p className="mt-1.5 whitespace-pre-wrap">{text}</p>
      {refs.length > 0 && (
        <ul aria-label="About" className="mt-2 flex flex-wrap gap-2">
          {refs.map((ref) => (
            <li key={ref}>
              <code className="rounded-sm border border-line bg-code px-1.5 py-0.5">{ref}</code>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
