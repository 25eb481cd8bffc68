// Owns the format in which an environment reaches the shim: NAME=value lines, newline and backslash escaped.
import { HoldfastError } from '../domain/errors.ts'
import { ENV_NAME, printable } from '../domain/names.ts'

/** Linux takes 128 KB for one variable, its name and a final NUL included. */
const LONGEST_ENTRY_BYTES = 131_071

/**
 * Names that some shell keeps to itself: read-only, computed, or fatal to assign.
 * `hf_*` are the shim's own, which loads the environment into the shell that becomes the agent.
 */
const SHELL_OWNED = new Set(
  `_ UID EUID PPID SHELLOPTS BASHOPTS SHLVL PWD OLDPWD RANDOM SRANDOM SECONDS LINENO OPTIND OPTARG
  EPOCHSECONDS EPOCHREALTIME HISTCMD DIRSTACK GROUPS FUNCNAME PIPESTATUS COMP_WORDBREAKS BASH BASHPID
  BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_LINENO BASH_REMATCH BASH_SOURCE
  BASH_SUBSHELL BASH_VERSINFO BASH_VERSION`.split(/\s+/),
)

export const canReachAgent = (name: string) =>
  ENV_NAME.test(name) && !SHELL_OWNED.has(name) && !name.startsWith('hf_')

export function encodeEnv(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${checkEntry(name, value)}\n`)
    .join('')
}

function checkEntry(name: string, value: string): string {
  if (!canReachAgent(name))
    throw new HoldfastError('INVALID_NAME', `'${printable(name)}' cannot be set in an agent's environment.`)
  if (value.includes('\0'))
    throw new HoldfastError('INVALID_REQUEST', `The environment variable ${name} contains a NUL byte.`)
  if (Buffer.byteLength(`${name}=${value}`) > LONGEST_ENTRY_BYTES)
    throw new HoldfastError('INVALID_REQUEST', `The environment variable ${name} is larger than 128 KB.`)
  return envLine(name, value)
}

/** Unchecked; for what we set ourselves. */
export const envLine = (name: string, value: string) =>
  `${name}=${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`
