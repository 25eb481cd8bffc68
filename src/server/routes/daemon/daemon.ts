import { Hono } from 'hono'
import { messageOf } from '../../../domain/errors.ts'
import { settings, settingText } from '../../../domain/settings/config.ts'
import { waitingNotes } from '../../../domain/settings/merge-config.ts'
import { freeSpace } from '../../../domain/text/free-space.ts'
import { redactDeep, redactSecrets } from '../../../domain/text/redact-secrets.ts'
import type { AgentFoundJson, DiskJson, HealthJson, ReadyJson } from '../../../protocol/json/daemon-json.ts'
import type { ConfigEntryJson, RoleJson } from '../../../protocol/json/project-json.ts'
import type { FoundAgent } from '../../../supervisor/desk.ts'
import { callerOf } from '../../caller.ts'
import type { Uses } from '../../context.ts'
import { openApi } from '../../contract/openapi.ts'
import { requestKeyOf } from '../../request-key.ts'
import { body, nothingSchema, workspaceSchema } from '../../requests/schemas.ts'
import { outageJson } from '../../views/outage.ts'
import { statsJson, workspaceJson } from '../../views/task.ts'
import { missedJson } from './subscribers.ts'

/** The daemon itself, its settings, roles and workspaces. */
export function daemonRoutes(
  context: Uses<
    'daemon' | 'lists' | 'places' | 'subscribers',
    'about' | 'shutdown' | 'loadConfig' | 'ownEnv' | 'freeBytes'
  >,
): Hono {
  const { desk } = context
  const routes = new Hono()

  const diskJson = async (): Promise<DiskJson> => {
    const { bytes, words, warning } = desk.daemon.disk()
    const free = await context.freeBytes()
    const space = free === undefined ? null : freeSpace(free)
    return {
      bytes,
      free_bytes: free ?? null,
      what: [space?.words, warning ?? words].filter(Boolean).join('. '),
      too_much: warning !== null,
      too_little_free: space !== null && space.state !== 'enough',
    }
  }
  const health = async (): Promise<HealthJson> => {
    const outage = await desk.daemon.outage()
    const { setAside, heldBy, missed } = await desk.subscribers.troubles()
    return {
      ...context.about,
      tmux: desk.daemon.tmuxHealth(),
      tmux_outage: outage && outageJson(outage),
      max_concurrent: desk.daemon.maxConcurrent,
      stats: statsJson(await desk.lists.counts()),
      own_stats: statsJson(await desk.lists.ownCounts()),
      disk: await diskJson(),
      journal: { set_aside: setAside, held_by: heldBy, missed: missed.map(missedJson) },
    }
  }
  /** Without tmux, headless tasks work; without the store, nothing does. */
  const readiness = async (): Promise<ReadyJson> => {
    const trouble = await desk.daemon.checkStore().then(
      () => null,
      (error: unknown) => redactSecrets(messageOf(error)),
    )
    const tmux = desk.daemon.whyNoTmux()
    const { what, too_much, too_little_free } = await diskJson()
    return {
      ready: trouble === null,
      checks: [
        { name: 'store', ok: trouble === null, what: trouble ?? `${context.about.store} answers` },
        { name: 'tmux', ok: tmux === null, what: tmux ?? 'tmux answers' },
        { name: 'disk', ok: !too_much && !too_little_free, what },
      ],
    }
  }
  routes.get('/health', async (c) => c.json(await health()))
  routes.get('/ready', async (c) => {
    const ready = await readiness()
    return c.json(ready, ready.ready ? 200 : 503)
  })
  routes.get('/agents', async (c) =>
    c.json({ agents: (await desk.daemon.agents(context.ownEnv)).map(agentFoundJson) }),
  )
  routes.get('/openapi.json', (c) => c.json(openApi(context.about.version)))
  routes.post('/tmux/try', async (c) => {
    await body(c, nothingSchema)
    await desk.daemon.tryTmux()
    return c.json(await health())
  })
  routes.post('/shutdown', async (c) => {
    await body(c, nothingSchema)
    context.shutdown()
    return c.json({ stopping: true })
  })

  routes.get('/roles', async (c) => {
    const found = await desk.places.roles(await desk.places.projectAround(c.req.query('dir') ?? '/'))
    const roles = found.map(({ needsTrust, ...role }): RoleJson => ({ ...role, needs_trust: needsTrust }))
    return c.json({ roles })
  })
  routes.get('/config', async (c) => {
    const loaded = await context.loadConfig(await desk.places.projectAround(c.req.query('dir') ?? '/'))
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
    c.json({ workspaces: (await desk.places.workspaces()).map(workspaceJson) }),
  )
  routes.post('/workspaces', async (c) => {
    const { path, slug } = await body(c, workspaceSchema)
    const key = requestKeyOf(c, 'POST /api/workspaces', { path, slug })
    const { workspace, added } = await desk.places.addWorkspace(path, slug, callerOf(c).name, key)
    return c.json({ workspace: workspaceJson(workspace), added }, added ? 201 : 200)
  })
  routes.delete('/workspaces/:id', async (c) => {
    return c.json({
      removed: workspaceJson(await desk.places.removeWorkspace(c.req.param('id'), callerOf(c).name)),
    })
  })

  return routes
}

const agentFoundJson = ({ loginFix, ...found }: FoundAgent): AgentFoundJson => ({
  ...found,
  login_fix: loginFix,
})
