// Owns orders for many tasks at once: one request, answered line by line while it is carried out.
import type { ErrorCode } from '../../domain/errors.ts'
import type { WayOutJson } from './error-json.ts'

/** `ids`: these tasks; all of them must exist before the first is killed. Without: all that have not ended, of one project or of all. */
export type KillManyJson = { ids?: string[]; project?: string; reason?: string }
/** The tasks with these ids, or all that ended longer ago. */
export type ArchiveManyJson = { ids: string[] } | { older_than_seconds: number }

/** The tasks with these ids, or all that ended longer ago, archived ones too. */
export type RemoveManyJson = { ids: string[] } | { older_than_seconds: number }

export type BulkFailureJson = {
  session_id: string
  code: ErrorCode
  message: string
  ways_out: WayOutJson[]
}

/**
 * JSON lines. `progress` comes first, after each change and at least every second; `over` comes last. Without it the
 * daemon stopped in the middle: what has a line is done, and asking again does the rest.
 */
export type BulkLine<Result> =
  | { readonly progress: { readonly done: number; readonly total: number } }
  | { readonly result: Result }
  | { readonly failure: BulkFailureJson }
  | { readonly over: true }
