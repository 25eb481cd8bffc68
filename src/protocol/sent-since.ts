// Owns what was told of a prompt when it was sent, brought up to how its trigger stands now.
import type { SentJson } from './json/input-json.ts'
import type { TriggerDetailJson } from './json/trigger-json.ts'

export const sentSince = (sent: SentJson, trigger: TriggerDetailJson): SentJson => ({
  ...sent,
  said: trigger.steps.some(({ event }) => event === 'typed'),
  heard: ['submitted', 'acknowledged', 'done'].includes(trigger.state),
  state: trigger.state,
  code: trigger.code,
  evidence: trigger.steps.at(-1)?.evidence ?? [],
  phase: trigger.phase,
  next: trigger.next,
  kept_back: trigger.kept_back,
})
