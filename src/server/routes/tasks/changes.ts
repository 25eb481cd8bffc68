// Owns what a task's agent changed: the files, and the diff of one of them.
import { Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { redactSecrets } from '../../../domain/text/redact-secrets.ts'
import type { ChangesJson, FileDiffJson } from '../../../protocol/json/changes-json.ts'
import type { Uses } from '../../context.ts'

export function changesRoutes({ desk }: Uses<'tasks' | 'changes'>): Hono {
  const routes = new Hono()

  routes.get('/:id/changes', async (c) => {
    const task = await desk.tasks.find(c.req.param('id'))
    const base = await desk.changes.base(task)
    const changes = base === undefined ? undefined : await desk.changes.since(base)
    const known = changes?.kind === 'known' ? changes : undefined
    const json: ChangesJson = {
      session_id: task.id,
      state: changes?.kind ?? 'not_recorded',
      commit: base?.commit ?? null,
      files: [...(known?.files ?? [])],
      more: known !== undefined && known.leftOut > 0,
    }
    return c.json(json)
  })

  routes.get('/:id/diff', async (c) => {
    const task = await desk.tasks.find(c.req.param('id'))
    const path = c.req.query('path') ?? ''
    const base = await desk.changes.base(task)
    // Only of what changed in the repository: so no other file of the machine can be read this way.
    const diff = base === undefined ? undefined : await desk.changes.diff(base, path)
    if (diff === undefined)
      throw new HoldfastError(
        'INVALID_REQUEST',
        `Session ${task.id} has not changed a file '${printable(path, 200)}'.`,
      )
    const json: FileDiffJson = { session_id: task.id, path, diff: redactSecrets(diff.diff), cut: diff.cut }
    return c.json(json)
  })

  return routes
}
