import type { AgentSays } from '../../ports/agent-driver.ts'
import { MOST_NAME, short } from './json-line.ts'

/** With a number among them: `try again later` tells nothing. */
const RESETS = /\b(?:resets?|try again)\b(?=.*\d).*/is

/** That a limit was hit. Where no instant is told, the agent's words on its end are kept for who knows the time. */
export function limitedBy(message: string, untilMs: number | null = null): AgentSays {
  const resets = untilMs === null ? RESETS.exec(message)?.[0] : undefined
  return { kind: 'limited', message, untilMs, ...(resets && { resets: short(resets, MOST_NAME) }) }
}
