// Owns the two ways out of a task that only a person can move on: from the beginning, or not at all.
import { killTask, retryTask } from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../button.tsx'
import { Confirm } from '../confirm.tsx'
import { Problem } from '../problem.tsx'

export function RetryOrClose({ id, title }: { readonly id: string; readonly title: string }) {
  const retry = useOrder(retryTask)
  return (
    <>
      <Button busy={retry.busy} onClick={() => retry.give(id)}>
        Retry with context
      </Button>
      <Confirm
        button="Close"
        title={`Close “${title}”?`}
        what="The task ends as killed. Its files, output and story stay."
        order={() => killTask(id)}
      />
      {retry.refused !== undefined && <Problem refused={retry.refused} />}
    </>
  )
}
