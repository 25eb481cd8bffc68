import { beginsTurn, type Input } from '../domain/task/input.ts'
import type { Saying } from '../ports/store/conversation.ts'

/** An input that is given to a run now. */
export const sayInput = (
  { taskId, number, kind }: Pick<Input, 'taskId' | 'number' | 'kind'>,
  to: Pick<Saying, 'runId' | 'at' | 'written'>,
): Saying => ({ taskId, number, ...to, voidsResult: beginsTurn({ kind }) })
