// Owns tokens and cost over time, as the agent reported them.
import { Suspense, useMemo } from 'react'
import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { useServerNow } from '../../../data/screen/now.ts'
import { type TaskEvent, useTaskEvents } from '../../../data/task/task-events.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Boundary } from '../../../parts/loaded/boundary.tsx'
import { loadable } from '../../../parts/loaded/loadable.tsx'
import { Skeleton, Stale } from '../../../parts/stale.tsx'
import { amount, money, timeOrNull } from '../../../words/time.ts'
import { untilNow, usageOf } from '../../../words/usage.ts'

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
      <Stale of={reports}>
        {(reported) =>
          reported.length === 0 ? (
            <>
              <p>
                {amount(task.tokens_in)} tokens in, {amount(task.tokens_out)} out
                {task.cost_usd > 0 && `, ${money(task.cost_usd)}`}
              </p>
              <Empty>Its single reports are not kept any more.</Empty>
            </>
          ) : (
            <div>
              <Usage reported={reported} task={task} />
            </div>
          )
        }
      </Stale>
    </div>
  )
}

const MINUTE_MS = 60_000

/** From its start to its end or now. The chart is drawn anew once a minute at most, and with each report. */
function Usage({
  reported,
  task,
}: {
  readonly reported: readonly TaskEvent<'usage_reported'>[]
  readonly task: TaskDetailJson
}) {
  const minute = Math.floor((useServerNow() ?? 0) / MINUTE_MS) * MINUTE_MS
  const until = timeOrNull(task.completed_at) ?? minute
  const started = timeOrNull(task.started_at)
  const { tokens_in, tokens_out, cost_usd } = task
  const points = useMemo(
    () => untilNow(usageOf(reported, { tokens_in, tokens_out, cost_usd }, started), until),
    [reported, tokens_in, tokens_out, cost_usd, started, until],
  )
  return (
    <Boundary>
      <Suspense fallback={<Skeleton />}>
        <Chart points={points} />
      </Suspense>
    </Boundary>
  )
}
