// Owns the error that a client throws when a request was refused or not answered.
import type { ErrorCode } from '../domain/errors.ts'
import type { ErrorJson, WayOutJson } from '../protocol/json/error-json.ts'

type Told = {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
  readonly ways_out?: WayOutJson[]
  readonly status: number
  readonly cause?: unknown
}

/** What the daemon answered instead. `status`: 0 when it did not answer at all. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  readonly waysOut: readonly WayOutJson[]
  readonly status: number
  constructor({ code, message, hint = '', ways_out = [], status, cause }: Told) {
    super(message, { cause })
    this.name = 'ApiError'
    this.code = code
    this.hint = hint
    this.waysOut = ways_out
    this.status = status
  }
}

export async function errorFrom(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    return new ApiError({ ...(JSON.parse(text) as ErrorJson), status: response.status })
  } catch {
    return new ApiError({ code: 'INTERNAL', message: text.slice(0, 500), status: response.status })
  }
}
