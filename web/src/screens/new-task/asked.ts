// Owns what the form of a new task asks for, and where a refusal belongs. Pure.
import type { ErrorCode } from '../../../../src/domain/errors.ts'
import type { Permission } from '../../../../src/domain/run/permission.ts'
import type { CreateTaskJson } from '../../../../src/protocol/api.ts'

export type Asked = {
  readonly prompt: string
  readonly dir: string
  readonly role: string
  readonly agent: string
  readonly mode: 'headless' | 'interactive'
  readonly permissions: Permission
  readonly title: string
  /** One check a line. */
  readonly contract: string
}

export const NOTHING_ASKED: Asked = {
  prompt: '',
  dir: '',
  role: '',
  agent: '',
  mode: 'headless',
  permissions: 'default',
  title: '',
  contract: '',
}

/** What is empty is left out: then the role and the settings decide. */
export function taskOf({
  prompt,
  dir,
  role,
  agent,
  mode,
  permissions,
  title,
  contract,
}: Asked): CreateTaskJson {
  const checks = contract
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(checkOf)
  return {
    prompt,
    dir,
    mode,
    ...(role === '' ? {} : { role }),
    ...(agent === '' ? {} : { agent }),
    ...(permissions === 'default' ? {} : { permissions }),
    ...(title === '' ? {} : { title }),
    ...(checks.length === 0 ? {} : { verify: checks }),
  }
}

/** As `--verify` reads it; a line without a prefix is a command. */
function checkOf(line: string): { command: string } | { file: string } {
  const [, kind, rest = ''] = /^(cmd|file):(.*)$/.exec(line) ?? []
  if (kind === 'file') return { file: rest.trim() }
  return { command: kind === 'cmd' ? rest.trim() : line }
}

const FIELDS: Partial<Record<ErrorCode, keyof Asked>> = {
  PROMPT_EMPTY: 'prompt',
  PROMPT_TOO_LARGE: 'prompt',
  PROMPT_NOT_TEXT: 'prompt',
  DIRECTORY_NOT_FOUND: 'dir',
  PROJECT_NOT_WRITABLE: 'dir',
  WORKSPACE_NOT_ALLOWED: 'dir',
  WORKSPACE_TOO_WIDE: 'dir',
  ROLE_NOT_FOUND: 'role',
  ROLE_INVALID: 'role',
  AGENT_UNKNOWN: 'agent',
  AGENT_NOT_CHOSEN: 'agent',
  AGENT_NOT_INSTALLED: 'agent',
  AGENT_TOO_OLD: 'agent',
  AGENT_CANNOT: 'agent',
  VERIFY_INVALID: 'contract',
}

/** Undefined for a refusal that belongs to no field. */
export const fieldOf = (code: ErrorCode | null): keyof Asked | undefined =>
  code === null ? undefined : FIELDS[code]
