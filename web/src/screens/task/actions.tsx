// Owns the buttons of what a person can do with a task.
import { Link } from 'wouter'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { Copy } from '../../parts/copy.tsx'
import { OfferedButton } from '../../parts/order/offered-button.tsx'
import { ordersFor } from '../../words/offered.ts'
import { hasEnded } from '../../words/state.ts'

export const Actions = ({ task }: { readonly task: TaskDetailJson }) => (
  <div className="flex flex-wrap items-center gap-2">
    {!hasEnded(task) && task.mode === 'interactive' && (
      <Copy text={`holdfast attach ${task.runtime ?? task.name ?? task.session_id}`} label="Attach" />
    )}
    {task.runtime !== null && (
      <Link href="/runtimes" className="text-accent hover:underline">
        Stop or restart it
      </Link>
    )}
    {ordersFor(task).map((offered) => (
      <OfferedButton key={offered.words} offered={offered} />
    ))}
  </div>
)
