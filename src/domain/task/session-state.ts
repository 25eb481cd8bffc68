// Owns the one word on whether a session is alive. Pure.

import { clockMove, statuslineGate } from '../run/statusline.ts'
import { type FinalState, finalOf, type Stood } from './final-state.ts'
import type { Phase } from './machine.ts'
import type { Question } from './task.ts'

export type SessionState = FinalState | 'just_started' | 'in_progress' | 'idle'

/** Of a task that goes on by itself: where it waited for a person, the person has decided. */
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

/** What all checks but the clock say. `isSilent`: longer than it may be. */
export function otherChecks(task: Stood, open: readonly Question[], isSilent: boolean): SessionState {
  const final = finalOf(task, open)
  if (final !== null) return final.state
  return isSilent ? 'stuck' : WORDS[task.phase ?? 'working']
}

/** The clock has the last word on `stuck`, and only on that. */
export const withClock = (
  other: SessionState,
  previous: string | null,
  current: string | null,
): SessionState => (other === 'stuck' ? statuslineGate[clockMove(previous, current)] : other)
