// Owns the JSON of an error.

import type { ErrorCode, WayOut } from '../../domain/errors.ts'

/** What can be done with a session instead of what failed. */
export type WayOutJson = { do: WayOut['do']; session_id: string }
export type ErrorJson = { code: ErrorCode; message: string; hint: string; ways_out: WayOutJson[] }
