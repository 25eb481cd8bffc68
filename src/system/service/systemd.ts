// Owns the calls of systemctl and loginctl: the state of the user's service, and changes to it.
import { HoldfastError } from '../../domain/errors.ts'
import { exec } from '../processes/exec.ts'
import { UNIT } from './unit.ts'

type Env = Readonly<Record<string, string | undefined>>

export type UnitState = {
  readonly enabled: boolean
  readonly active: boolean
  readonly mainPid: number | null
}

/** Undefined when systemd does not answer: there is none, or the user has no session. */
export async function unitState(env: Env): Promise<UnitState | undefined> {
  const properties = '--property=ActiveState,MainPID,UnitFileState'
  const { code, stdout } = await run(['systemctl', '--user', 'show', UNIT, properties], env)
  if (code !== 0) return undefined
  const told = Object.fromEntries(stdout.split('\n').map((line) => line.split('=', 2)))
  return {
    enabled: told.UnitFileState === 'enabled',
    active: told.ActiveState === 'active',
    mainPid: Number(told.MainPID) || null,
  }
}

/** Runs `systemctl --user`; SERVICE_FAILED with its message when it fails. */
export async function systemctl(args: readonly string[], env: Env): Promise<void> {
  const { code, stderr } = await run(['systemctl', '--user', ...args], env)
  if (code !== 0)
    throw new HoldfastError('SERVICE_FAILED', `systemctl --user ${args.join(' ')}: ${stderr.trim()}`)
}

/** Whether the user's services start at boot and outlast the last logout; null when that cannot be found out. */
export async function lingers(user: string, env: Env): Promise<boolean | null> {
  const { code, stdout } = await run(['loginctl', 'show-user', user, '--property=Linger'], env)
  return code === 0 ? stdout.trim() === 'Linger=yes' : null
}

const run = (argv: readonly string[], env: Env) => exec(argv, { env, timeoutMs: 30_000 })
