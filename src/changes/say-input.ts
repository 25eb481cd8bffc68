import type { Input } from '../domain/task/task.ts'
import type { Saying } from '../ports/store/conversation.ts'

/** The inputs that begin a turn. */
const BEGINS_TURN: ReadonlySet<Input['kind']> = new Set(['prompt', 'continuation'])

/** An input that is given to a run now. */
export const sayInput = (
  { taskId, number, kind }: Pick<Input, 'taskId' | 'number' | 'kind'>,
  to: Pick<Saying, 'runId' | 'at' | 'written'>,
): Saying => ({ taskId, number, ...to, voidsResult: BEGINS_TURN.has(kind) })
