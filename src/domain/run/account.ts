import { contentHash } from '../text/content-hash.ts'

/** Who shares its limits: the same agent with the same configuration and login. A hash, because keys are part of it. */
export const accountOf = (
  agent: string,
  env: Readonly<Record<string, string>>,
  ownNames: readonly string[],
): string => {
  const told = ['HOME', 'XDG_CONFIG_HOME', ...ownNames].map((name) => [name, env[name] ?? null])
  return `${agent}-${contentHash(JSON.stringify(told)).slice(0, 12)}`
}
