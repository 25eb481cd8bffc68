import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'

export async function continueThread(
  { args, options }: InputOf<'thread continue'>,
  context: Context,
): Promise<number> {
  const answer = await context
    .daemon()
    .call('POST /api/threads/:id/continue', { id: args.thread, body: { why: options.why } })
  const { thread_id } = answer.thread
  context.show(answer, () => [
    answer.continued ? `Agents may post to ${thread_id} again.` : `${thread_id} is not blocked.`,
  ])
  return 0
}
