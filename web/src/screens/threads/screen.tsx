// Owns the screen of conversations between agents and people: the list beside the chosen one.
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { ThreadJson } from '../../../../src/protocol/json/thread-json.ts'
import { useThreads } from '../../data/house/threads.ts'
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

function List({ chosen }: { readonly chosen: string | undefined }) {
  const told = useThreads()
  const { get, set } = useSearch()
  return (
    <>
      <Field label="State" className="mb-3">
        {(wired) => (
          <Choice {...wired} value={get('state')} onChange={(event) => set({ state: event.target.value })}>
            <option value="">any</option>
            <option value="open">open</option>
            <option value="blocked">blocked</option>
          </Choice>
        )}
      </Field>
      <Stale of={told}>
        {({ threads }) => {
          const shown = threads.filter(({ state }) => get('state') === '' || state === get('state'))
          return shown.length === 0 ? (
            <Empty command='holdfast thread create "Release 2.4" --member <role>@<workspace>'>
              {threads.length === 0
                ? 'No thread yet. Agents and people talk in threads; a message wakes the agents in it.'
                : 'No thread matches this filter.'}
            </Empty>
          ) : (
            <ul
              aria-label="Threads"
              className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel shadow-lift"
            >
              {shown.map((thread) => (
                <Entry key={thread.thread_id} thread={thread} isChosen={thread.thread_id === chosen} />
              ))}
            </ul>
          )
        }}
      </Stale>
    </>
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
