// Owns the one word that says whether a session is alive. Pure.

import { clockMove, statuslineGate } from '../run/statusline.ts'
import { type FinalFacts, type FinalState, finalOf } from './final-state.ts'
import type { Phase } from './machine.ts'
import type { Question } from './question.ts'

export type SessionState = FinalState | 'just_started' | 'in_progress' | 'idle'

/** For a task that goes on by itself. `asking` and `stopped_by_person` go on when the person has already decided. */
const WORDS: Readonly<Record<Phase, SessionState>> = {
  queued: 'just_started',
  starting: 'just_started',
  working: 'in_progress',
  idle: 'idle',
  asking: 'in_progress',
  backing_off: 'in_progress',
  parked: 'in_progress',
  waiting: 'in_progress',
  stuck: 'stuck',
  verifying: 'in_progress',
  stopped_by_person: 'in_progress',
}

/** What all checks except the clock say. `isSilent`: the agent has been silent for longer than it may be. */
export function otherChecks(task: FinalFacts, open: readonly Question[], isSilent: boolean): SessionState {
  const final = finalOf(task, open)
  if (final !== null) return final.state
  return isSilent ? 'stuck' : WORDS[task.phase ?? 'working']
}

/** The clock can overrule `stuck`, and no other state. `previous` and `current`: HH:MM:SS. */
export const withClock = (
  other: SessionState,
  previous: string | null,
  current: string | null,
): SessionState => (other === 'stuck' ? statuslineGate[clockMove(previous, current)] : other)
