import type { AgentSays } from '../../ports/run/agent-driver.ts'
import { MOST_NAME, short } from './json-line.ts'

/** Words about the end of a limit. They must contain a number: `try again later` says nothing. */
const RESETS = /\b(?:resets?|try again)\b.*/is
const NUMBER = /\d/

/** Says that a limit was hit. Without an exact time, the agent's words about its end are kept: a caller with a clock reads them. */
export function limitedBy(message: string, untilMs: number | null = null): AgentSays {
  const resets = untilMs === null ? RESETS.exec(message)?.[0] : undefined
  const tells = resets !== undefined && NUMBER.test(resets)
  return { kind: 'limited', message, untilMs, ...(tells && { resets: short(resets, MOST_NAME) }) }
}
