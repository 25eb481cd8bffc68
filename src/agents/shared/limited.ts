import type { AgentSays } from '../../ports/run/agent-driver.ts'
import { MOST_NAME, short } from './json-line.ts'

/** Words about the end of a limit. They must contain a number: `try again later` says nothing. */
const RESETS = /\b(?:resets?|try again)\b(?=.*\d).*/is

/** Says that a limit was hit. Without an exact time, the agent's words about its end are kept: a caller with a clock reads them. */
export function limitedBy(message: string, untilMs: number | null = null): AgentSays {
  const resets = untilMs === null ? RESETS.exec(message)?.[0] : undefined
  return { kind: 'limited', message, untilMs, ...(resets && { resets: short(resets, MOST_NAME) }) }
}
