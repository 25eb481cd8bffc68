// Owns starting the tmux server outside the service's control group. What lives in there counts as the service's: it
// shares its limits, and is in the way of its restart. A scope of its own holds tmux and all agents instead.
import { cleanEnv, runStarter, type TmuxAddress, tmuxArgs } from './spawn.ts'

/** `Before`: when the user's services stop, the daemon goes first and does not take the agents' ends for crashes. */
const SCOPE = [
  '--user',
  '--scope',
  '--quiet',
  '--collect',
  '--description=Holdfast: tmux and agents',
  '--property=Before=holdfast.service',
  '--',
]

/** Asked for, and there is a systemd that makes scopes. */
export async function scopeWorks(address: TmuxAddress): Promise<boolean> {
  if (address.scopeWithin === undefined) return false
  const asked = runStarter('systemd-run', [...SCOPE, 'true'], managerEnv(address), address.scopeWithin)
  return asked.then(
    ({ code }) => code === 0,
    () => false,
  )
}

/** systemd-run becomes the command in the scope; `env -i` keeps what only it needs from tmux. */
export function runInOwnScope(address: TmuxAddress, args: readonly string[]) {
  const variables = Object.entries(cleanEnv(address.env)).map(([name, value]) => `${name}=${value}`)
  const tmux = [address.tmuxPath, ...tmuxArgs(address, ...args)]
  return runStarter('systemd-run', [...SCOPE, 'env', '-i', ...variables, ...tmux], managerEnv(address))
}

/** How the user's systemd is found. */
function managerEnv({ env }: TmuxAddress): Record<string, string> {
  const found = cleanEnv(env)
  for (const name of ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']) {
    const value = env[name]
    if (value) found[name] = value
  }
  return found
}
