// Owns which of a caller's environment variables reach an agent. The table in docs/config.md is made from this file.
import { canReachAgent } from './env-entry.ts'

export type EnvRule = { readonly names: readonly string[]; readonly reason: string }

/** A name may end in `*`. The config (`env.pass`) and the agent's own variables (`ownEnv`) are added to this list. */
export const callerEnvironment: readonly EnvRule[] = [
  { names: ['PATH'], reason: 'finds the agent and the tools it calls' },
  { names: ['HOME', 'USER', 'LOGNAME', 'SHELL'], reason: "the user's own login and settings" },
  { names: ['LANG', 'LC_*', 'TZ'], reason: 'language, encoding and time zone of what it writes' },
  { names: ['XDG_*'], reason: 'where programs keep their settings, caches and state' },
  { names: ['SSH_AUTH_SOCK', 'SSH_AGENT_PID'], reason: 'the SSH agent, for git over SSH' },
  {
    names: ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'],
    reason: 'author and committer of its commits',
  },
  {
    names: ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
    reason: 'network proxy (lower case, as curl reads it)',
  },
  {
    names: ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
    reason: 'network proxy (upper case)',
  },
  {
    names: ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
    reason: 'certificates of a company proxy',
  },
]

/** Never passed on, whatever the config says: they would tie a run to another run, or to the caller's tmux. */
export const neverPassedOn: readonly string[] = ['HOLDFAST_*', 'TMUX*']

type Env = Readonly<Record<string, string | undefined>>

/** The part of a caller's environment that an agent may get. */
export function allowedEnv(env: Env, extraNames: readonly string[] = []): Record<string, string> {
  const allowed = matcher([...callerEnvironment.flatMap(({ names }) => names), ...extraNames])
  return pick(env, (name) => allowed(name) && !isNeverPassedOn(name) && canReachAgent(name))
}

/** The variables with these names, which may end in `*`. */
export const namedVariables = (env: Env, names: readonly string[]) => pick(env, matcher(names))

/** The environment for a daemon. When a run starts it, neither it nor its agents may carry the marks of that run. */
export const daemonEnv = (env: Env): Record<string, string> =>
  pick(env, (name) => !isNeverPassedOn(name) || name === 'HOLDFAST_HOME')

export const isNeverPassedOn = matcher(neverPassedOn)

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns)
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

function pick(env: Env, wanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
    ),
  )
}
