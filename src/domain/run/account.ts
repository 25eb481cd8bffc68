import { contentHash } from '../text/content-hash.ts'
import { namedVariables } from './caller-environment.ts'

/** Who shares its limits: the same agent with the same configuration and login. A hash, because keys are part of it. */
export function accountOf(
  agent: string,
  env: Readonly<Record<string, string>>,
  ownNames: readonly string[],
): string {
  const told = Object.entries(namedVariables(env, ['HOME', 'XDG_CONFIG_HOME', ...ownNames]))
  told.sort(([a], [b]) => (a < b ? -1 : 1))
  return `${agent}-${contentHash(JSON.stringify(told)).slice(0, 12)}`
}
