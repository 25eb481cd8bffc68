// Owns every tmux process we start.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { HoldfastError } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'

export type TmuxAddress = {
  readonly tmuxPath: string
  /** Absolute and short: a unix socket's path may have 107 bytes. */
  readonly socket: string
  /** Only the variables that `cleanEnv` names reach tmux. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Start the server in a scope of its own, if systemd answers within this time: see own-scope.ts. */
  readonly scopeWithin?: Limit
}

export type Finished = {
  /** Null when the program was killed because it took too long. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The environment of the first client becomes that of every pane: so no secrets, and nothing of the daemon. */
export function cleanEnv(env: TmuxAddress['env']): Record<string, string> {
  const clean: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm-256color' }
  for (const name of ['PATH', 'HOME', 'HOLDFAST_HOME', 'LANG', 'LC_ALL', 'TERM']) {
    const value = env[name]
    if (value) clean[name] = value
  }
  return clean
}

/** `-u`: we read UTF-8, whatever the locale. `-f`: the user's tmux.conf is not used. */
export const tmuxArgs = ({ socket }: TmuxAddress, ...args: string[]) => [
  '-u',
  '-S',
  socket,
  '-f',
  '/dev/null',
  ...args,
]

/** One short-lived tmux command. */
export const runTmux = (address: TmuxAddress, args: readonly string[], limit?: Limit) =>
  run(start(address, tmuxArgs(address, ...args)), limit)

/** `tmux -V` needs no server. */
export const askVersion = (tmuxPath: string, limit: Limit) => run(start({ tmuxPath, env: {} }, ['-V']), limit)

/** Starts the long-lived control client: commands on stdin, replies on stdout. */
export const spawnControlClient = (address: TmuxAddress, args: readonly string[]) =>
  start(address, tmuxArgs(address, '-N', '-C', ...args))

export type Limit = { readonly clock: Clock; readonly timeoutMs: number }

/** Detached: Ctrl-C in the daemon's terminal must not reach tmux. In `/`: the server keeps no other directory in use. */
const start = ({ tmuxPath, env }: Pick<TmuxAddress, 'tmuxPath' | 'env'>, args: readonly string[]) =>
  spawnApart(tmuxPath, args, cleanEnv(env))

const spawnApart = (program: string, args: readonly string[], env: Record<string, string>) =>
  spawn(program, args, { cwd: '/', env, detached: true })

/** Runs a program that starts tmux for us. */
export const runStarter = (
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  limit?: Limit,
) => run(spawnApart(program, args, env), limit)

function run(child: ChildProcessWithoutNullStreams, limit?: Limit): Promise<Finished> {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  child.stdin.on('error', () => {}).end()
  const callOff = limit?.clock.after(limit.timeoutMs, () => child.kill('SIGKILL'))
  return new Promise<Finished>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new HoldfastError('TMUX_UNAVAILABLE', `tmux cannot be run: ${cause.message}`, { cause })),
    )
    child.once('close', (code) => resolve({ code, ...output }))
  }).finally(callOff)
}
