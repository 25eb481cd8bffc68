// Owns the tasks that a task started.
import type { TaskRowJson } from '../../../../../src/protocol/task-json.ts'
import { call } from '../../../data/call.ts'
import { useResource } from '../../../data/resource.ts'
import { Lasting } from '../../../parts/age.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Row } from '../../../parts/row.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { hasEnded, stateWord } from '../../../words/state.ts'
import { span, timeOf } from '../../../words/time.ts'

/** The list cannot be asked for children alone; a task starts them while it is among the newest. */
const MOST_PAGES = 6

/** Below `tasks`, so that any task's move asks again. */
export const useChildren = (id: string) =>
  useResource(['tasks', 'children', id], async () => {
    const rows: TaskRowJson[] = []
    let after: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const part = await call('GET /api/tasks/rows', { query: { after, limit: '500', totals: '0' } })
      rows.push(...part.rows.filter(({ parent_session: parent }) => parent === id))
      if (part.next === null) return { rows, whole: true }
      after = part.next
    }
    return { rows, whole: false }
  })

export function ChildrenTab({ id }: { readonly id: string }) {
  const children = useChildren(id)
  return (
    <Stale of={children}>
      {({ rows, whole }) =>
        rows.length === 0 ? (
          <div className="p-4">
            <Empty>It has started no other tasks{whole ? '' : ', as far as the newest 3,000 tell'}.</Empty>
          </div>
        ) : (
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <Row
                key={row.session_id}
                mark={<Chip {...stateWord(row)} wide />}
                title={row.title}
                href={`/tasks/${row.session_id}`}
                below={row.agent}
                right={
                  hasEnded(row) || row.started_at === null ? (
                    span(row.elapsed_seconds * 1000)
                  ) : (
                    <Lasting at={timeOf(row.started_at)} />
                  )
                }
              />
            ))}
          </ul>
        )
      }
    </Stale>
  )
}
