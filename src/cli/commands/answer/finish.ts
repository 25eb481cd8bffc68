import type { FinishedJson } from '../../../protocol/json/order-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'

export async function finish({ args }: InputOf<'finish'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('POST /api/tasks/:id/finish', { id: args.id })
  context.show(answer, () => [outcome(answer)])
  return !answer.already_ended && answer.task.task_status === 'failed' ? 2 : 0
}

function outcome({ already_ended, finished, task }: FinishedJson): string {
  const { session_id, status, phase, reason } = task
  if (already_ended) return `Session has already ended (status: ${status})`
  if (finished)
    return status === 'COMPLETED'
      ? `Session finished: ${session_id}`
      : `Session ended as ${status}: ${session_id}: ${oneLine(reason ?? '')}`
  return phase === 'verifying'
    ? `${session_id} is being verified; it is completed if its work passes.`
    : `${session_id} finishes when its turn is over.`
}
