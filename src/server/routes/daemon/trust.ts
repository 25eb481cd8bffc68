import { type Context, Hono } from 'hono'
import { HoldfastError } from '../../../domain/errors.ts'
import type { AuditKind } from '../../../domain/names/audit-kinds.ts'
import { printable } from '../../../domain/names/names.ts'
import type { Claim } from '../../../ports/files/trust.ts'
import type { TrustFileJson } from '../../../protocol/json/project-json.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { body, trustSchema } from '../../requests/schemas.ts'

/** Approvals of a project's files. Only these routes write approvals, so that each has its audit row. */
export function trustRoutes({ desk, trust }: Uses<'audit' | 'places', 'trust'>): Hono {
  const routes = new Hono()

  routes.get('/', async (c) =>
    c.json(await shown(await desk.places.projectAround(c.req.query('dir') ?? '/'))),
  )

  routes.post('/', async (c) => {
    const { dir, files } = await body(c, trustSchema)
    const project = await desk.places.projectAround(dir)
    const claims = await trust.claims(project)
    for (const { file, sha256 } of files) checkUnchanged(file, sha256, claims)
    for (const { file, sha256 } of files) {
      // The audit row comes first, so that there is no approval without one.
      await audit(c, 'trust_approved', `${file} ${sha256}`)
      await trust.approve(file, sha256, callerOf(c).name)
    }
    return c.json(await shown(project))
  })

  routes.delete('/', async (c) => {
    const path = c.req.query('path') ?? ''
    if (!path.startsWith('/')) throw new HoldfastError('INVALID_REQUEST', "'path' must be an absolute path.")
    const revoked = await trust.revoke(path)
    for (const file of revoked) await audit(c, 'trust_revoked', file)
    return c.json({ revoked })
  })

  const shown = async (project: string) => ({
    project,
    files: (await trust.claims(project)) as TrustFileJson[],
  })
  const audit = (c: Context, kind: AuditKind, detail: string) => desk.audit.add(kind, callerOf(c), detail)

  return routes
}

/** Only the content that the person was shown can be approved. */
function checkUnchanged(file: string, sha256: string, claims: readonly Claim[]): void {
  if (claims.some((claim) => claim.file === file && claim.sha256 === sha256)) return
  throw new HoldfastError(
    'NOT_TRUSTED',
    `${printable(file, 200)} is not as it was when it was shown to you. Nothing was approved: look at the file again.`,
  )
}
