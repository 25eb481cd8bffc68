import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { promptGiven } from '../../starting/prompt-given.ts'
import { showComingBack } from '../../waiting/coming-back.ts'
import { givenEnv } from '../../wire/given-env.ts'

export async function resume({ args, options }: InputOf<'resume'>, context: Context): Promise<number> {
  const { prompt: words } = args
  const { file } = options
  const isGiven = words.length > 0 || file !== undefined
  const prompt = isGiven ? await promptGiven({ command: 'resume', words, file }, context) : undefined
  const body = { prompt, env: givenEnv(context.env) }
  showComingBack(await context.daemon().call('POST /api/tasks/:id/resume', { id: args.id, body }), context)
  return 0
}

export async function retry({ args }: InputOf<'retry'>, context: Context): Promise<number> {
  const body = { env: givenEnv(context.env) }
  showComingBack(await context.daemon().call('POST /api/tasks/:id/retry', { id: args.id, body }), context)
  return 0
}
