import { iso } from '../../domain/task/session-record.ts'
import type { Waits as WaitsJson } from '../../protocol/json/task-json.ts'
import type { Waits } from '../../supervisor/desk.ts'

export const waitsJson = (waits: Waits): WaitsJson => ({
  waits_for: waits.for,
  waits_until: waits.until === null ? null : iso(waits.until),
})
