import type { WebTokenJson } from '../../../protocol/web-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/table.ts'
import { localMinute } from '../../render/time.ts'

export async function makeToken({ args, options }: InputOf<'web token'>, context: Context): Promise<number> {
  const body = { name: args.name, expires_in_seconds: options.expires ?? null }
  const made = await context.daemon().call('POST /api/web/tokens', { body })
  context.show(made, () => [
    made.secret,
    '',
    `The token '${made.token.name}' is shown only now. Send it as \`Authorization: Bearer <token>\`.`,
  ])
  return 0
}

const columns: readonly Column<WebTokenJson>[] = [
  { title: 'NAME', of: ({ name }) => name, least: 8, rank: 3 },
  { title: 'MADE', of: ({ made_at }) => localMinute(made_at), least: 16, rank: 1 },
  { title: 'BY', of: ({ made_by }) => made_by, least: 4, rank: 0 },
  { title: 'VALID UNTIL', of: validUntil, least: 16, rank: 2 },
]

function validUntil({ expires_at, expired }: WebTokenJson): string {
  if (expires_at === null) return 'it is revoked'
  return expired ? `expired ${localMinute(expires_at)}` : localMinute(expires_at)
}

export async function listTokens(_input: InputOf<'web tokens'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/web/tokens')
  context.show(answer, () =>
    answer.tokens.length === 0 ? ['No tokens yet'] : table(columns, answer.tokens, context.width()),
  )
  return 0
}

export async function revokeToken({ args }: InputOf<'web revoke'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('DELETE /api/web/tokens/:id', { id: args.name })
  context.show(answer, () => [`Token revoked: ${answer.revoked.name}`])
  return 0
}
