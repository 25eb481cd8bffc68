// Owns tokens and cost over time, as the agent reported them.
import { Suspense } from 'react'
import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { useTaskEvents } from '../../../data/task/task-events.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Boundary } from '../../../parts/loaded/boundary.tsx'
import { loadable } from '../../../parts/loaded/loadable.tsx'
import { Skeleton, Stale } from '../../../parts/stale.tsx'
import { amount, money } from '../../../words/time.ts'
import { usageOf } from '../../../words/usage.ts'

const Chart = loadable(async () => (await import('./chart.tsx')).Chart)

export function CostTab({ task }: { readonly task: TaskDetailJson }) {
  const reports = useTaskEvents(task.session_id, 'usage_reported')
  const hasUsed = task.tokens_in > 0 || task.tokens_out > 0 || task.cost_usd > 0
  if (!hasUsed)
    return (
      <div className="p-4">
        <Empty>The agent has reported no tokens and no cost.</Empty>
      </div>
    )
  return (
    <div className="p-4">
      <p className="mb-3">
        {amount(task.tokens_in)} tokens in, {amount(task.tokens_out)} out
        {task.cost_usd > 0 && `, ${money(task.cost_usd)}`}
      </p>
      <Stale of={reports}>
        {(told) =>
          told.length === 0 ? (
            <Empty>Its single reports are not kept any more.</Empty>
          ) : (
            <Boundary>
              <Suspense fallback={<Skeleton />}>
                <Chart
                  points={usageOf(told, task, task.started_at === null ? null : Date.parse(task.started_at))}
                />
              </Suspense>
            </Boundary>
          )
        }
      </Stale>
    </div>
  )
}
