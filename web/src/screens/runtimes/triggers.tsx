// Owns the list of prompts that were sent to agents, with its filters in the address.
import { useState } from 'react'
import { Link } from 'wouter'
import type { TriggerJson } from '../../../../src/protocol/json/trigger-json.ts'
import { useRuntimes } from '../../data/installation/runtimes.ts'
import { useTriggerList } from '../../data/installation/triggers.ts'
import { useSearch } from '../../data/screen/search.ts'
import { useActiveTasks } from '../../data/tasks/tasks.ts'
import { Ago } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Choice, Field } from '../../parts/field.tsx'
import { Stale } from '../../parts/stale.tsx'
import { TypedFilter } from '../../parts/typed-filter.tsx'
import { bytes, timeOf } from '../../words/time.ts'
import { triggerStates, triggerWord } from '../../words/trigger.ts'
import { Parcel } from './parcel.tsx'

const PAGE = 50
const MOST = 1000

export function Triggers() {
  const { get, set } = useSearch()
  const [limit, setLimit] = useState(PAGE)
  const filter = Object.fromEntries(
    ['state', 'to', 'thread'].flatMap((name) => (get(name) === '' ? [] : [[name, get(name)]])),
  )
  const known = useTriggerList(filter, limit)
  return (
    <>
      <div className="grid gap-3 md:grid-cols-3">
        <Field label="State">
          {(wired) => (
            <Choice {...wired} value={get('state')} onChange={(event) => set({ state: event.target.value })}>
              <option value="">any</option>
              {triggerStates.map((state) => (
                <option key={state} value={state}>
                  {triggerWord({ state }).word}
                </option>
              ))}
            </Choice>
          )}
        </Field>
        <TypedFilter label="To" name="to" placeholder="a session or a runtime" />
        <TypedFilter label="Thread" name="thread" placeholder="an id" />
      </div>
      <Stale of={known}>
        {(triggers) =>
          triggers.length === 0 ? (
            <Empty command='holdfast send <id> "go on with the tests"'>
              No prompt was sent{Object.keys(filter).length > 0 && ' that matches these filters'}. A prompt to
              a living agent is tracked here like a parcel: typed, submitted, acknowledged, done.
            </Empty>
          ) : (
            <>
              <ul
                aria-label="Triggers"
                className="divide-y divide-line rounded-lg border border-line bg-panel shadow-lift"
              >
                {triggers.map((trigger) => (
                  <Trigger key={trigger.trigger_id} trigger={trigger} />
                ))}
              </ul>
              {triggers.length === limit && limit < MOST && (
                <p className="mt-3">
                  <Button onClick={() => setLimit(limit + PAGE)}>Show older ones</Button>
                </p>
              )}
            </>
          )
        }
      </Stale>
    </>
  )
}

/** A runtime by its own name, another session by its title, as far as they are known. */
function useNameOf(session: string): string {
  const runtimes = useRuntimes().value ?? []
  const tasks = useActiveTasks().value?.tasks ?? []
  return (
    runtimes.find(({ task_id }) => task_id === session)?.agent_id ??
    tasks.find(({ session_id }) => session_id === session)?.title ??
    session
  )
}

function Trigger({ trigger }: { readonly trigger: TriggerJson }) {
  const [opened, setOpened] = useState(false)
  const to = useNameOf(trigger.session_id)
  const { session_id, state, code, by, reason, number, at } = trigger
  return (
    <li className="px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1">
        {/* As wide as the longest word, so that the names stand below each other. */}
        <span className="flex md:w-26 md:*:flex-1">
          <Chip {...triggerWord(trigger)} wide />
        </span>
        <span className="flex min-w-0 flex-1 basis-60 flex-col">
          <Link
            href={`/tasks/${session_id}`}
            title={session_id}
            className="truncate font-semibold hover:underline"
          >
            {to} <span className="font-normal text-mut">prompt {number}</span>
          </Link>
          <span className="text-mut text-sm">
            from {by}, {bytes(trigger.bytes)}
            {reason !== null && `, because ${reason}`}
            {code !== null && state !== 'done' && `, ${code}`}
          </span>
        </span>
        <span className="text-mut text-sm">
          <Ago at={timeOf(at)} />
        </span>
        <Button kind="quiet" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {opened ? 'Hide' : 'Track'}
        </Button>
      </div>
      {opened && <Parcel id={trigger.trigger_id} />}
    </li>
  )
}
