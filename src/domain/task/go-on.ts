// Owns how a task goes on after a run that ended early, and what the next run is told.
import type { Mode } from './task.ts'

/** `resume`: in its session, by id. `with_context`: anew, told what was done. `fresh`: anew, as if nothing had been. */
export type Way = 'resume' | 'with_context' | 'fresh'

export type GoOn = {
  readonly how: Way
  /** All that the next run is told; null is nothing at all: it waits for its next prompt. */
  readonly say: string | null
}

/** An order to end the live run and go on with another: because it is stuck, can hear nothing more, does not take a prompt, or because a person takes it over. */
export type RestartOrder = {
  readonly kind: 'stuck' | 'deaf' | 'trigger' | 'takeover' | 'handback' | 'resume' | 'retry' | 'answer'
  readonly by: string
  readonly reason: string
  readonly at: number
  /** Null: as the recovery table decides. */
  readonly goOn: GoOn | null
  readonly mode: Mode | null
}

/** Said on every resume. The agent has its transcript; what it lacks is the knowledge that time has passed. */
export const CONTINUATION =
  'You were interrupted: your process ended before the work was done, and was started again. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

export const CONTINUATION_AFTER_LIMIT =
  'You were stopped by a usage limit, which is over now. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

/** To one whose process lives. */
export const CONTINUATION_AFTER_STOP =
  'A person stopped your last turn, and lets you go on now. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

/** To one whose process lives. */
export const CONTINUATION_AFTER_FAILURE =
  'Your last turn was cut short by a failure that may have passed. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

export const CONTINUATION_AFTER_HANDBACK =
  'A person worked in this session and has handed it back to you. Go on with the task until it is done.'

/** To one that asked and hears nothing while it lives: it is resumed with this. */
export const wordsOfAnswer = (question: string, answer: string) =>
  `You asked: ${question.replace(/\s+/g, ' ').trim()}\nThe answer is: ${answer}\nGo on with the task.`
