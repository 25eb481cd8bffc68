import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { isPerson } from '../../wire/caller.ts'
import { givenEnv } from '../../wire/given-env.ts'

/** For programs, so it always answers in JSON: `jq -r .verified`. */
export async function verifyStep(
  { args, options }: InputOf<'verify-step'>,
  context: Context,
): Promise<number> {
  const stateFile = options['state-file']
  const answer = await context.daemon().call('POST /api/verify-step', {
    body: {
      ...args,
      dir: context.path(options.dir),
      state_file: stateFile && context.path(stateFile),
      env: givenEnv(context.env),
      allow_dir: isPerson(context.env) || undefined,
    },
  })
  context.out(JSON.stringify(answer, null, 2))
  return answer.verified ? 0 : 2
}
