// Owns starting the tmux server outside the control group of the service. Processes inside it share the service's limits
// and disturb its restart. So tmux and all agents get a scope of their own.
import { cleanEnv, runStarter, type TmuxAddress, tmuxArgs } from './spawn.ts'

/** `Before`: when the user's services stop, the daemon stops first and does not take the ends of agents for crashes. */
const SCOPE = [
  '--user',
  '--scope',
  '--quiet',
  '--collect',
  '--description=Holdfast: tmux and agents',
  '--property=Before=holdfast.service',
  '--',
]

/** True when a scope is asked for, and there is a systemd that creates one. */
export async function scopeWorks(address: TmuxAddress): Promise<boolean> {
  if (address.scopeWithin === undefined) return false
  const asked = runStarter('systemd-run', [...SCOPE, 'true'], managerEnv(address), address.scopeWithin)
  return asked.then(
    ({ code }) => code === 0,
    () => false,
  )
}

/** systemd-run starts the command in the scope; `env -i` keeps the variables that only systemd-run needs away from tmux. */
export function runInOwnScope(address: TmuxAddress, args: readonly string[]) {
  const variables = Object.entries(cleanEnv(address.env)).map(([name, value]) => `${name}=${value}`)
  const tmux = [address.tmuxPath, ...tmuxArgs(address, ...args)]
  return runStarter('systemd-run', [...SCOPE, 'env', '-i', ...variables, ...tmux], managerEnv(address))
}

/** The environment with the variables by which systemd-run finds the user's systemd. */
function managerEnv({ env }: TmuxAddress): Record<string, string> {
  const found = cleanEnv(env)
  for (const name of ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']) {
    const value = env[name]
    if (value) found[name] = value
  }
  return found
}
