import { realpathSync } from 'node:fs'
import type { DaemonClient } from './client.ts'

/** The innermost workspace around a directory; the directory itself when there is none. */
export async function currentProject(dir: string, daemon: DaemonClient): Promise<string> {
  const real = realpathSync(dir)
  const { workspaces } = await daemon.call('GET /api/workspaces')
  const around = workspaces.map(({ path }) => path).filter((path) => isWithin(real, path))
  return around.reduce((longest, path) => (path.length > longest.length ? path : longest), around[0] ?? real)
}

const isWithin = (dir: string, path: string) =>
  dir === path || dir.startsWith(path.endsWith('/') ? path : `${path}/`)
