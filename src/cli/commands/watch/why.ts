import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { whyLines } from '../../render/text/why-text.ts'

export async function why({ args }: InputOf<'why'>, context: Context): Promise<number> {
  const story = await context.daemon().call('GET /api/tasks/:id/why', { id: args.id })
  context.show(story, () => whyLines(story, Date.now()))
  return 0
}
