import { Hono } from 'hono'
import { settings, settingText } from '../domain/config.ts'
import { waitingNotes } from '../domain/merge-config.ts'
import type { ConfigEntryJson, HealthJson, RoleJson } from '../protocol/api.ts'
import { addWorkspace, projectAround, removeWorkspace } from '../supervisor/workspaces.ts'
import { actorOf, personOnly } from './caller.ts'
import type { ServerContext } from './context.ts'
import { body, workspaceSchema } from './schemas.ts'
import { statsJson, workspaceJson } from './task-views.ts'

/** The daemon itself, its settings, roles and workspaces. */
export function houseRoutes(context: ServerContext): Hono {
  const { core } = context.supervisor
  const routes = new Hono()

  routes.get('/health', async (c) => {
    const health: HealthJson = {
      ...context.about,
      tmux: core.terminal.health(),
      max_concurrent: core.config.maxConcurrent,
      stats: statsJson(await core.store.counts()),
    }
    return c.json(health)
  })
  routes.post('/shutdown', (c) => {
    personOnly(c, 'stop the daemon')
    context.shutdown()
    return c.json({ stopping: true })
  })

  routes.get('/roles', async (c) => {
    const roles: RoleJson[] = await core.roles.list(await projectAround(c.req.query('dir') ?? '/', core))
    return c.json({ roles })
  })
  routes.get('/config', async (c) => {
    const loaded = await context.loadConfig(await projectAround(c.req.query('dir') ?? '/', core))
    const { sources, files } = loaded
    const entries: ConfigEntryJson[] = sources.map((entry) => ({
      ...entry,
      text: settingText(entry.key, entry.value),
      about: settings[entry.key].about,
    }))
    return c.json({ entries, files, notes: waitingNotes(loaded) })
  })

  routes.get('/workspaces', async (c) =>
    c.json({ workspaces: (await core.store.workspaces()).map(workspaceJson) }),
  )
  routes.post('/workspaces', async (c) => {
    personOnly(c, 'allow directories')
    const { path, slug } = await body(c, workspaceSchema)
    const dir = await core.places.realDirectory(path)
    const before = (await core.store.workspaces()).length
    const workspace = await addWorkspace(dir, slug, actorOf(c), core)
    const added = (await core.store.workspaces()).length > before
    return c.json({ workspace: workspaceJson(workspace), added }, added ? 201 : 200)
  })
  routes.delete('/workspaces/:id', async (c) => {
    personOnly(c, 'remove workspaces')
    return c.json({
      removed: workspaceJson(await removeWorkspace(decodeURIComponent(c.req.param('id')), actorOf(c), core)),
    })
  })

  return routes
}
