// Owns tokens and cost, report by report of the agent.
import { lazy, Suspense } from 'react'
import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { useResource } from '../../../data/held/resource.ts'
import { readOutput } from '../../../data/task/output.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Skeleton, Stale } from '../../../parts/stale.tsx'
import { hasEnded } from '../../../words/state.ts'
import { amount, money } from '../../../words/time.ts'
import { usageOf } from '../../../words/usage.ts'

const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }))

/** Reports are small: this much of the output's end has hundreds of them. */
const MOST_BYTES = 1024 * 1024
const LOOK_AGAIN_MS = 5000

export function CostTab({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  const usage = useResource(
    ['task', id, 'usage'],
    async () => {
      const part = await readOutput(id, -MOST_BYTES)
      return { points: usageOf(part.text), whole: part.from === 0 }
    },
    hasEnded(task) ? {} : { every: LOOK_AGAIN_MS },
  )
  return (
    <div className="p-4">
      <Stale of={usage}>
        {({ points, whole }) =>
          points.length === 0 ? (
            <Empty>The agent has reported no tokens and no cost{whole ? '' : ' lately'}.</Empty>
          ) : (
            <div>
              <p className="mb-3">
                {amount(task.tokens_in)} tokens in, {amount(task.tokens_out)} out
                {task.cost_usd > 0 && `, ${money(task.cost_usd)}`}
                <span className="text-mut">
                  {' '}
                  · {points.length} {points.length === 1 ? 'report' : 'reports'}
                  {whole ? '' : ' in the last part of its output'}
                </span>
              </p>
              <Suspense fallback={<Skeleton />}>
                <Chart points={points} />
              </Suspense>
            </div>
          )
        }
      </Stale>
    </div>
  )
}
