import { contentHash } from '../text/content-hash.ts'
import { namedVariables } from './caller-environment.ts'

/** The same for all tasks that share usage limits: same agent, configuration and login. Hashed, because it covers API keys. */
export function accountOf(
  agent: string,
  env: Readonly<Record<string, string>>,
  ownNames: readonly string[],
): string {
  const told = Object.entries(namedVariables(env, ['HOME', 'XDG_CONFIG_HOME', ...ownNames]))
  told.sort(([a], [b]) => (a < b ? -1 : 1))
  return `${agent}-${contentHash(JSON.stringify(told)).slice(0, 12)}`
}
