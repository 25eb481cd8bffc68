import type { RoleJson } from '../../../protocol/json/project-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/print/table.ts'

const columns: readonly Column<RoleJson>[] = [
  { title: 'ROLE', of: (role) => role.role, least: 10, rank: 4 },
  { title: 'AGENT', of: (role) => role.agent ?? '-', least: 5, rank: 2 },
  { title: 'MODEL', of: (role) => role.model ?? '-', least: 5, rank: 1 },
  { title: 'DESCRIPTION', of: (role) => problemOf(role) ?? role.description, least: 10, rank: 3 },
]

export async function roles({ options }: InputOf<'roles'>, context: Context): Promise<number> {
  const query = { dir: context.path(options.dir) }
  const answer = await context.daemon().call('GET /api/roles', { query })
  context.show(answer, () =>
    answer.roles.length === 0
      ? ['No roles found; write agents/<role>/<role>-agent.md']
      : table(columns, answer.roles, context.width()),
  )
  if (!context.json)
    for (const role of answer.roles)
      if (role.problem !== null) context.say(`Warning: ${role.file}: ${problemOf(role)}`)
  return 0
}

function problemOf({ problem, needs_trust }: RoleJson): string | null {
  return needs_trust ? `${problem}: see \`holdfast trust\`` : problem
}
