import type { BulkOutcome } from '../../data/orders/bulk.ts'
import { Button } from '../../parts/button.tsx'
import { TaskLink } from './task-link.tsx'

/** What came of the order, where some of them were refused. */
export const NotAll = ({
  outcome: { done, total, failures },
  onClose,
}: {
  readonly outcome: BulkOutcome
  readonly onClose: () => void
}) => (
  <div role="alert" className="rounded-md border border-red/30 bg-red/6 px-3 py-2 text-sm">
    <p className="flex items-center">
      {done - failures.length} of {total} were let go on. Refused:
      <Button kind="quiet" className="ml-auto" onClick={onClose}>
        Put away
      </Button>
    </p>
    <ul>
      {failures.map(({ id, message }) => (
        <li key={id}>
          <TaskLink id={id} />: <span className="text-red">{message}</span>
        </li>
      ))}
    </ul>
  </div>
)
