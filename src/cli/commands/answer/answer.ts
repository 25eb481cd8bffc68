import { HoldfastError } from '../../../domain/errors.ts'
import type { AnsweredJson } from '../../../protocol/json/input-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'

export async function answer({ args, options }: InputOf<'answer'>, context: Context): Promise<number> {
  const body = { choice: args.choice.join(' '), question: numberOf(options.question) }
  const answered = await context.daemon().call('POST /api/tasks/:id/answer', { id: args.id, body })
  context.show(answered, () => [outcome(answered)])
  return 0
}

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined || /^[1-9]\d{0,8}$/.test(given))
    return given === undefined ? undefined : Number(given)
  throw new HoldfastError('USAGE', '--question takes the number that `holdfast status` shows.')
}

function outcome({ session_id, question, answer, settled, task }: AnsweredJson): string {
  const given = `Answered: ${answer}.`
  if (task.completed_at !== null) return `${given} ${session_id} has ended (${task.status}).`
  if (task.stopping !== null) return `${given} ${session_id} is being ended.`
  if (question.answer_way === 'resume') return `${given} ${session_id} is resumed with this answer.`
  return settled
    ? `${given} ${session_id} goes on.`
    : `${given} ${session_id} has not gone on yet; see \`holdfast status ${session_id}\`.`
}
