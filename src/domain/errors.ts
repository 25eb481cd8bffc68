// Owns the error that a person or program can get. Apart from the catalogue, which programs that only throw do not carry.

import type { ErrorCode } from './errors/catalogue.ts'

export type { ErrorCode }

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
