import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'

export async function screen({ args }: InputOf<'screen'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/tasks/:id/screen', { id: args.id })
  context.show(answer, () => [answer.screen.trimEnd()])
  if (!answer.live && !context.json)
    context.say('(this is the last screen that was saved; the session has no live screen now)')
  return 0
}
