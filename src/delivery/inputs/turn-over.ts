import type { Phase } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'

/** The phases in which neither the agent nor a person is busy with a turn. */
const TURN_IS_OVER: ReadonlySet<Phase | null> = new Set(['idle', 'stopped_by_person'])

export const isTurnOver = ({ phase }: Pick<Task, 'phase'>) => TURN_IS_OVER.has(phase)
