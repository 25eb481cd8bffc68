// Owns why a trigger waits, fell back or failed, in one word each. docs/errors.md says what to do about each.

export const TRIGGER_CODES = [
  'TARGET_NOT_FOUND',
  'PANE_DEAD',
  'SEND_KEYS_ERROR',
  'ACK_TIMEOUT',
  'OPERATOR_BUSY',
  'DEFER_TIMEOUT',
  'RESUME_FAILED',
  'SPAWN_FAILED',
  'REGISTRY_DRIFT',
  'TRIGGER_RATE_LIMITED',
  'THREAD_AUTO_BLOCKED',
] as const
export type TriggerCode = (typeof TRIGGER_CODES)[number]
