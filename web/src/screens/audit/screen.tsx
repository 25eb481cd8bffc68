// Owns the screen of who did what: filters in the address, and older pages on request.
import { useState } from 'react'
import { Link } from 'wouter'
import type { AuditEntryJson } from '../../../../src/protocol/json/daemon-json.ts'
import { call } from '../../data/connection/call.ts'
import { type AuditFilter, useAudit } from '../../data/installation/audit.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { useSearch } from '../../data/screen/search.ts'
import { At } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Choice, Field, TextInput } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'
import { TypedFilter } from '../../parts/typed-filter.tsx'
import { Screen } from '../../shell/screen.tsx'
import { timeOf } from '../../words/time.ts'
import { auditKinds } from './kinds.ts'
import { newerThan } from './newer.ts'

const PAGE = 100

export function AuditScreen() {
  const { get } = useSearch()
  const filter: AuditFilter = {
    ...(get('kind') === '' ? {} : { kind: get('kind') }),
    ...(get('task') === '' ? {} : { task: get('task') }),
    ...(get('since') === '' ? {} : { since: `${get('since')}T00:00:00Z` }),
  }
  const known = useAudit(filter, PAGE)
  return (
    <Screen title="Audit">
      <Filters />
      <Stale of={known}>
        {({ entries, next }) =>
          entries.length === 0 && next === null ? (
            <Empty command="holdfast audit">
              {Object.keys(filter).length > 0
                ? 'Nothing was recorded that matches these filters.'
                : 'Nothing was recorded yet. Whoever starts, answers, ends or changes something stands here.'}
            </Empty>
          ) : (
            // Another filter begins anew.
            <Pages key={JSON.stringify(filter)} filter={filter} newest={entries} next={next} />
          )
        }
      </Stale>
    </Screen>
  )
}

function Filters() {
  const { get, set } = useSearch()
  return (
    <div className="grid gap-3 md:grid-cols-3">
      <Field label="Kind">
        {(wired) => (
          <Choice {...wired} value={get('kind')} onChange={(event) => set({ kind: event.target.value })}>
            <option value="">any</option>
            {auditKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kind.replaceAll('_', ' ')}
              </option>
            ))}
          </Choice>
        )}
      </Field>
      <TypedFilter label="Task" name="task" placeholder="an id, or its beginning" />
      <Field label="Since (UTC)">
        {(wired) => (
          <TextInput
            {...wired}
            type="date"
            value={get('since')}
            onChange={(event) => set({ since: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}

/** What somebody reads backwards. `after`: where the next older page begins. */
type Held = { readonly entries: readonly AuditEntryJson[]; readonly after: string | null }

/** The first page follows the journal until somebody reads backwards: then what is shown stays where it is. */
function Pages({
  filter,
  newest,
  next,
}: {
  readonly filter: AuditFilter
  readonly newest: readonly AuditEntryJson[]
  readonly next: string | null
}) {
  const [held, hold] = useState<Held>()
  const { entries, after } = held ?? { entries: newest, after: next }
  const more = useOrder(async () => {
    if (after === null) return
    const page = await call('GET /api/audit', { query: { ...filter, limit: String(PAGE), after } })
    hold({ entries: [...entries, ...page.entries], after: page.next })
  })
  const newer = held === undefined ? 0 : newerThan(newest, held.entries)
  const isGap = newer === newest.length
  // Between a whole page of newer ones and what is held, others may stand: it begins anew.
  const showNewer = () =>
    hold(isGap ? undefined : { entries: [...newest.slice(0, newer), ...entries], after })
  return (
    <>
      {newer > 0 && (
        <p className="-mb-3">
          <Button onClick={showNewer}>
            {newer}
            {isGap && ' or more'} newer {newer === 1 ? 'entry' : 'entries'}
          </Button>
        </p>
      )}
      <div className="overflow-x-auto rounded-lg border border-line bg-panel shadow-lift">
        <table className="w-full text-left text-sm max-md:block">
          <thead className="border-line border-b text-mut max-md:sr-only">
            <tr>
              {['When', 'What', 'Who', 'Task', 'Detail'].map((name) => (
                <th key={name} scope="col" className="px-4 py-2 font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line max-md:block">
            {entries.map((entry, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be alike.
              <Entry key={`${entry.at} ${place}`} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      {more.refused !== undefined && <Problem refused={more.refused} />}
      <p className="mt-3">
        {after === null ? (
          <span className="text-mut text-sm">That is all.</span>
        ) : (
          <Button busy={more.busy} onClick={() => void more.give()}>
            Older entries
          </Button>
        )}
      </p>
    </>
  )
}

function Entry({ entry: { at, kind, actor, session_id, detail } }: { readonly entry: AuditEntryJson }) {
  const cell = 'px-4 py-2 align-top max-md:px-0 max-md:py-0'
  return (
    <tr className="max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:px-4 max-md:py-2.5">
      <td className={`${cell} whitespace-nowrap text-mut`}>
        <At at={timeOf(at)} seconds />
      </td>
      <td className={`${cell} whitespace-nowrap font-semibold`}>{kind.replaceAll('_', ' ')}</td>
      <td className={`${cell} md:min-w-24`}>{actor}</td>
      <td className={`${cell} max-md:empty:hidden`}>
        {session_id !== null && (
          <Link href={`/tasks/${session_id}`} className="text-accent hover:underline md:whitespace-nowrap">
            <code>{session_id}</code>
          </Link>
        )}
      </td>
      <td className={`${cell} max-md:w-full`}>{detail}</td>
    </tr>
  )
}
