import { Hono } from 'hono'
import { settings, settingText } from '../../domain/settings/config.ts'
import { waitingNotes } from '../../domain/settings/merge-config.ts'
import { redactDeep, redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { ConfigEntryJson, DiskJson, HealthJson, RoleJson } from '../../protocol/api.ts'
import { addWorkspace, projectAround, removeWorkspace } from '../../supervisor/starting/workspaces.ts'
import { diskOfAll } from '../../supervisor/upkeep/disk-quota.ts'
import { callerOf } from '../caller.ts'
import type { ServerContext } from '../context.ts'
import { body, nothingSchema, workspaceSchema } from '../requests/schemas.ts'
import { outageJson } from '../views/outage.ts'
import { statsJson, workspaceJson } from '../views/task.ts'

/** The daemon itself, its settings, roles and workspaces. */
export function houseRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()

  const diskJson = (): DiskJson => {
    const { bytes, words, warning } = diskOfAll(core)
    return { bytes, what: warning ?? words, too_much: warning !== null }
  }
  const health = async (): Promise<HealthJson> => ({
    ...context.about,
    tmux: core.terminal.health(),
    tmux_outage: await outageJson(core),
    max_concurrent: core.config.maxConcurrent,
    stats: statsJson(await core.store.counts()),
    disk: diskJson(),
  })
  routes.get('/health', async (c) => c.json(await health()))
  routes.post('/tmux/try', async (c) => {
    await body(c, nothingSchema)
    await core.terminal.tryNow()
    return c.json(await health())
  })
  routes.post('/shutdown', async (c) => {
    await body(c, nothingSchema)
    context.shutdown()
    return c.json({ stopping: true })
  })

  routes.get('/roles', async (c) => {
    const found = await core.roles.list(await projectAround(c.req.query('dir') ?? '/', core))
    const roles = found.map(({ needsTrust, ...role }): RoleJson => ({ ...role, needs_trust: needsTrust }))
    return c.json({ roles })
  })
  routes.get('/config', async (c) => {
    const loaded = await context.loadConfig(await projectAround(c.req.query('dir') ?? '/', core))
    const { sources, files } = loaded
    const entries: ConfigEntryJson[] = sources.map((entry) => ({
      ...entry,
      value: redactDeep(entry.value),
      text: redactSecrets(settingText(entry.key, entry.value)),
      about: settings[entry.key].about,
    }))
    return c.json({ entries, files, notes: waitingNotes(loaded) })
  })

  routes.get('/workspaces', async (c) =>
    c.json({ workspaces: (await core.store.workspaces()).map(workspaceJson) }),
  )
  routes.post('/workspaces', async (c) => {
    const { path, slug } = await body(c, workspaceSchema)
    const dir = await core.places.realDirectory(path)
    const before = (await core.store.workspaces()).length
    const workspace = await addWorkspace(dir, slug, callerOf(c).name, core)
    const added = (await core.store.workspaces()).length > before
    return c.json({ workspace: workspaceJson(workspace), added }, added ? 201 : 200)
  })
  routes.delete('/workspaces/:id', async (c) => {
    return c.json({
      removed: workspaceJson(await removeWorkspace(c.req.param('id'), callerOf(c).name, core)),
    })
  })

  return routes
}
