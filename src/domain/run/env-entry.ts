// Owns which variables can be set in an agent's environment at all.
import { HoldfastError } from '../errors.ts'
import { ENV_NAME, printable } from '../names/names.ts'

/** Linux allows 128 KB for one variable, including its name and a final NUL. */
const LONGEST_ENTRY_BYTES = 131_071

/**
 * Names that shells reserve: read-only, computed, or fatal to assign. The shim loads the environment into a shell,
 * which then becomes the agent; the shim's own variables begin with `hf_`.
 */
const SHELL_OWNED = new Set(
  `_ UID EUID PPID SHELLOPTS BASHOPTS SHLVL PWD OLDPWD RANDOM SRANDOM SECONDS LINENO OPTIND OPTARG
  EPOCHSECONDS EPOCHREALTIME HISTCMD DIRSTACK GROUPS FUNCNAME PIPESTATUS COMP_WORDBREAKS BASH BASHPID
  BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_LINENO BASH_REMATCH BASH_SOURCE
  BASH_SUBSHELL BASH_VERSINFO BASH_VERSION`.split(/\s+/),
)

export const canReachAgent = (name: string) =>
  ENV_NAME.test(name) && !SHELL_OWNED.has(name) && !name.startsWith('hf_')

export function checkEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) checkEntry(name, value)
}

function checkEntry(name: string, value: string): void {
  if (!canReachAgent(name))
    throw new HoldfastError('INVALID_NAME', `'${printable(name)}' cannot be set in an agent's environment.`)
  if (value.includes('\0'))
    throw new HoldfastError('INVALID_REQUEST', `The environment variable ${name} contains a NUL byte.`)
  if (Buffer.byteLength(`${name}=${value}`) > LONGEST_ENTRY_BYTES)
    throw new HoldfastError('INVALID_REQUEST', `The environment variable ${name} is larger than 128 KB.`)
}
