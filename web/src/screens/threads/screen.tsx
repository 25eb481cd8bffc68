// Owns the screen of conversations between agents and people: the list beside the chosen one.
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { ThreadJson } from '../../../../src/protocol/json/thread-json.ts'
import { type ThreadState, useThreads } from '../../data/installation/threads.ts'
import { useSearch } from '../../data/screen/search.ts'
import { Ago } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { classes } from '../../parts/classes.ts'
import { Empty } from '../../parts/empty.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { timeOf } from '../../words/time.ts'
import { NewThread } from './new-thread.tsx'
import { Thread } from './thread.tsx'

export function ThreadsScreen() {
  const { id } = useParams<{ id?: string }>()
  const [begins, setBegins] = useState(false)
  return (
    <Screen title="Threads">
      <div className="grid items-start gap-4 lg:grid-cols-[300px_minmax(0,1fr)]">
        <div className={classes(id !== undefined && 'max-lg:hidden')}>
          <div className="mb-3">
            <Button onClick={() => setBegins(true)}>New thread</Button>
          </div>
          {begins && <NewThread close={() => setBegins(false)} />}
          <List chosen={id} />
        </div>
        {id === undefined ? (
          <p className="py-10 text-center text-mut max-lg:hidden">Choose a thread to read it.</p>
        ) : (
          <Thread key={id} id={id} />
        )}
      </div>
    </Screen>
  )
}

const STATES: readonly ThreadState[] = ['open', 'blocked']

function List({ chosen }: { readonly chosen: string | undefined }) {
  const { get, set } = useSearch()
  const state = STATES.find((one) => one === get('state'))
  return (
    <>
      <Field label="State" className="mb-3">
        {(wired) => (
          <Choice {...wired} value={state ?? ''} onChange={(event) => set({ state: event.target.value })}>
            <option value="">any</option>
            {STATES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Choice>
        )}
      </Field>
      <Pages key={state} state={state} chosen={chosen} />
    </>
  )
}

function Pages({
  state,
  chosen,
}: {
  readonly state: ThreadState | undefined
  readonly chosen: string | undefined
}) {
  const [pages, setPages] = useState(1)
  const known = useThreads(state, pages)
  return (
    <Stale of={known}>
      {({ threads, whole }) =>
        threads.length === 0 ? (
          <Empty command='holdfast thread create "Release 2.4" --member <role>@<workspace>'>
            {state === undefined
              ? 'No thread yet. Agents and people talk in threads; a message wakes the agents in it.'
              : 'No thread matches this filter.'}
          </Empty>
        ) : (
          <div>
            <ul
              aria-label="Threads"
              className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel shadow-lift"
            >
              {threads.map((thread) => (
                <Entry key={thread.thread_id} thread={thread} isChosen={thread.thread_id === chosen} />
              ))}
            </ul>
            {!whole && (
              <Button className="mt-3" onClick={() => setPages(pages + 1)}>
                Show older ones
              </Button>
            )}
          </div>
        )
      }
    </Stale>
  )
}

const Entry = ({ thread, isChosen }: { readonly thread: ThreadJson; readonly isChosen: boolean }) => (
  <li className={classes('relative px-4 py-2.5', isChosen ? 'bg-soft' : 'has-[a:hover]:bg-soft/60')}>
    <Link
      href={`/threads/${thread.thread_id}`}
      aria-current={isChosen ? 'page' : undefined}
      className="block font-semibold after:absolute after:inset-0"
    >
      {thread.title}
    </Link>
    <span className="flex flex-wrap items-center gap-x-2 text-mut text-sm">
      {thread.state === 'blocked' && <Chip word="blocked" tone="red" />}
      <span>{thread.messages === 1 ? '1 message' : `${thread.messages} messages`}</span>
      {thread.last_at !== null && <Ago at={timeOf(thread.last_at)} />}
      {thread.unread > 0 && <Chip word={`${thread.unread} new`} tone="teal" />}
    </span>
  </li>
)
