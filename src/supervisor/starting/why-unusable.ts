// Owns recognizing a program that is known not to work, before it is started and dies again and again.
import { whyTooOld } from '../../domain/names/agent-version.ts'
import type { Places } from '../../ports/files/places.ts'
import type { Program } from '../../ports/run/agent-driver.ts'

/** Why the program cannot be used; null when nothing is known against it. */
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
