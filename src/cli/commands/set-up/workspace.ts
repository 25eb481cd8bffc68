import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import type { WorkspaceJson } from '../../../protocol/json/project-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localMinute } from '../../render/print/time.ts'

export async function addWorkspace(
  { args, options }: InputOf<'workspace add'>,
  context: Context,
): Promise<number> {
  const body = { path: context.path(args.dir), slug: options.slug }
  const answer = await context.daemon().call('POST /api/workspaces', { body })
  const { slug, path } = answer.workspace
  const isRenamed = answer.added && options.slug !== undefined && options.slug !== slug
  context.show(answer, () => [
    `Workspace ${answer.added ? 'added' : 'already there'}: ${slug} (${path})`,
    ...(isRenamed ? [`  Another workspace is named ${options.slug}: see \`holdfast workspace list\`.`] : []),
  ])
  return 0
}

const columns: readonly Column<WorkspaceJson>[] = [
  { title: 'SLUG', of: ({ slug }) => slug, least: 8, rank: 3 },
  { title: 'PATH', of: ({ path }) => path, least: 12, rank: 2 },
  { title: 'ADDED', of: ({ added_at }) => localMinute(added_at), least: 16, rank: 1 },
  { title: 'BY', of: ({ added_by }) => added_by, least: 4, rank: 0 },
]

export async function listWorkspaces(_input: InputOf<'workspace list'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/workspaces')
  context.show(answer, () =>
    answer.workspaces.length === 0
      ? ['No workspaces yet']
      : table(columns, answer.workspaces, context.width()),
  )
  return 0
}

export async function removeWorkspace({ args }: InputOf<'workspace rm'>, context: Context): Promise<number> {
  const daemon = context.daemon()
  const { workspaces } = await daemon.call('GET /api/workspaces')
  const found = workspaces.find(({ id, slug }) => args.workspace === slug || args.workspace === id)
  const chosen = found ?? workspaces.find(({ path }) => path === context.path(args.workspace))
  if (chosen === undefined)
    throw new HoldfastError('WORKSPACE_NOT_FOUND', `No workspace '${printable(args.workspace)}'.`)
  const answer = await daemon.call('DELETE /api/workspaces/:id', { id: chosen.id })
  context.show(answer, () => [`Workspace removed: ${answer.removed.slug} (${answer.removed.path})`])
  return 0
}
