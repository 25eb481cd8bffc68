import type { CheckJson } from '../../../protocol/json/verify-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { givenEnv } from '../../wire/given-env.ts'

export async function verify({ args }: InputOf<'verify'>, context: Context): Promise<number> {
  const body = { env: givenEnv(context.env) }
  const answer = await context.daemon().call('POST /api/tasks/:id/verify', { id: args.id, body })
  context.show(answer, () => [
    ...checkLines(answer.checks, context),
    answer.verified ? `Verified: ${answer.session_id}` : `Not verified: ${answer.session_id}`,
  ])
  return answer.verified ? 0 : 2
}

const checkLines = (checks: readonly CheckJson[], { paint }: Pick<Context, 'paint'>): string[] =>
  checks.flatMap(({ check, ok, why, output }) => [
    ok
      ? `${paint('green', 'ok')}    ${oneLine(check)}`
      : `${paint('red', 'fails')} ${oneLine(check)}: ${oneLine(why ?? '')}`,
    ...output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `        ${oneLine(line)}`),
  ])
