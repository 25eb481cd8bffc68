// Owns every error that a person or program can get: exit code, HTTP status and hint. docs/errors.md explains each, in this
// order. The catalogue has a file for each subject, in domain/errors/.

import { agentErrors } from './errors/agent-errors.ts'
import { machineErrors } from './errors/machine-errors.ts'
import { messageErrors } from './errors/message-errors.ts'
import { permissionErrors } from './errors/permission-errors.ts'
import { sessionErrors } from './errors/session-errors.ts'
import { triggerErrors } from './errors/trigger-errors.ts'

export const errorCatalogue = {
  ...sessionErrors,
  ...agentErrors,
  ...messageErrors,
  ...permissionErrors,
  ...machineErrors,
  ...triggerErrors,
  INTERRUPTED: { exit: 130, http: 499, hint: 'Nothing was stopped; the task goes on. See `holdfast list`.' },
  INTERNAL: { exit: 2, http: 500, hint: 'This is a bug in Holdfast: please report it with daemon.log.' },
} as const
export type ErrorCode = keyof typeof errorCatalogue
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorCatalogue, value)

export const WAYS_OUT = ['answer', 'finish', 'kill', 'resume', 'retry', 'send'] as const
/** What can be done with the session instead. The CLI shows it as a command line. */
export type WayOut = { readonly do: (typeof WAYS_OUT)[number]; readonly id: string }
export const waysOut = (id: string, ...ways: WayOut['do'][]): WayOut[] => ways.map((way) => ({ do: way, id }))

export class HoldfastError extends Error {
  readonly code: ErrorCode
  readonly waysOut: readonly WayOut[]
  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { readonly waysOut?: readonly WayOut[] } = {},
  ) {
    super(message, options)
    this.name = 'HoldfastError'
    this.code = code
    this.waysOut = options.waysOut ?? []
  }

  /** By name: the CLI is built as several files, and each has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): value is HoldfastError {
    return value instanceof Error && value.name === 'HoldfastError'
  }
}

export const isHoldfastError = (error: unknown, ...codes: ErrorCode[]): error is HoldfastError =>
  error instanceof HoldfastError && (codes.length === 0 || codes.includes(error.code))

export const asHoldfastError = (error: unknown): HoldfastError =>
  isHoldfastError(error) ? error : new HoldfastError('INTERNAL', messageOf(error), { cause: error })

/** The message of whatever was thrown, also when that is not an Error. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
