import { sanitisedIn } from '../../domain/conversation/words-of.ts'
import type { Trigger, TriggerStep } from '../../domain/task/input.ts'
import { iso } from '../../domain/task/session-record.ts'
import type { TriggerJson, TriggerStepJson } from '../../protocol/json/trigger-json.ts'

export const triggerJson = (trigger: Trigger): TriggerJson => ({
  trigger_id: trigger.triggerId,
  session_id: trigger.taskId,
  number: trigger.number,
  thread: trigger.thread,
  reason: trigger.reason,
  key: trigger.key,
  framed: trigger.framed === 1,
  by: trigger.by,
  at: iso(trigger.at),
  bytes: Buffer.byteLength(trigger.text),
  state: trigger.state,
  code: trigger.code,
  state_since: iso(trigger.stateAt ?? trigger.at),
  acknowledged_by: trigger.ackBy,
  forced_by: trigger.forcedBy,
  forced_why: trigger.forcedWhy,
  sanitised: sanitisedIn(trigger),
})

export const stepJson = ({ number, event, state, code, at, evidence }: TriggerStep): TriggerStepJson => ({
  number,
  event,
  state,
  code,
  at: iso(at),
  evidence: [...evidence],
})
