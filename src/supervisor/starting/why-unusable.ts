// Owns telling a program that is known not to work apart before it is started, and dies again and again.
import { whyTooOld } from '../../domain/names/agent-version.ts'
import type { Program } from '../../ports/agent-driver.ts'
import type { Places } from '../../ports/places.ts'

/** Null when nothing is known against it. */
export async function whyUnusable(
  path: string,
  { needs, versionArgs }: Program,
  env: Readonly<Record<string, string>>,
  places: Pick<Places, 'nodeFor' | 'versionOf'>,
): Promise<string | null> {
  if (needs === undefined) return null
  const version = await places.versionOf(path, versionArgs, env)
  return whyTooOld(needs, { version, node: await places.nodeFor(path, env) })
}
