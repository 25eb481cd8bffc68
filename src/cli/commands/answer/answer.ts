import { HoldfastError } from '../../../domain/errors.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { answeredText } from '../../render/text/sent-text.ts'

export async function answer({ args, options }: InputOf<'answer'>, context: Context): Promise<number> {
  const body = { choice: args.choice.join(' '), question: numberOf(options.question) }
  const answered = await context.daemon().call('POST /api/tasks/:id/answer', { id: args.id, body })
  context.show(answered, () => [answeredText(answered)])
  return 0
}

function numberOf(given: string | undefined): number | undefined {
  if (given === undefined || /^[1-9]\d{0,8}$/.test(given))
    return given === undefined ? undefined : Number(given)
  throw new HoldfastError('USAGE', '--question takes the number that `holdfast status` shows.')
}
