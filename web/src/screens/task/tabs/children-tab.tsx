// Owns the tasks that a task started.
import type { TaskRowJson } from '../../../../../src/protocol/json/task-json.ts'
import { call } from '../../../data/connection/call.ts'
import { useResource } from '../../../data/held/resource.ts'
import { Chip } from '../../../parts/chip.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Row } from '../../../parts/row.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { Took } from '../../../parts/took.tsx'
import { stateWord } from '../../../words/state.ts'

/** Below `tasks`, so that any task's move asks again. */
export const useChildren = (id: string) =>
  useResource(['tasks', 'children', id], async () => [
    ...(await rowsOf({ parent: id })),
    ...(await rowsOf({ parent: id, archived: '1' })),
  ])

async function rowsOf(filter: {
  readonly parent: string
  readonly archived?: string
}): Promise<TaskRowJson[]> {
  const rows: TaskRowJson[] = []
  for (let after: string | undefined; ; ) {
    const part = await call('GET /api/tasks/rows', { query: { ...filter, after, limit: '500', totals: '0' } })
    rows.push(...part.rows)
    if (part.next === null) return rows
    after = part.next
  }
}

export function ChildrenTab({ id }: { readonly id: string }) {
  const children = useChildren(id)
  return (
    <Stale of={children}>
      {(rows) =>
        rows.length === 0 ? (
          <div className="p-4">
            <Empty>It has started no other tasks.</Empty>
          </div>
        ) : (
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <Row
                key={row.session_id}
                mark={<Chip {...stateWord(row)} wide />}
                title={row.title}
                href={`/tasks/${row.session_id}`}
                task={row.session_id}
                below={row.agent}
                right={<Took task={row} />}
              />
            ))}
          </ul>
        )
      }
    </Stale>
  )
}
