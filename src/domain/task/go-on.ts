// Owns how a task goes on after a run that ended early, and what its agent is told then.
import type { Mode } from './task.ts'

/**
 * How the next run begins. `resume`: in the agent's session. `with_context`: in a new session, with a list of what was
 * done. `fresh`: in a new session, without such a list.
 */
export type Way = 'resume' | 'with_context' | 'fresh'

export type GoOn = {
  readonly how: Way
  /** All that the next run is told at its start; null for nothing: it waits for a prompt. */
  readonly say: string | null
}

/**
 * An order to end the live run and go on with another one: the agent is stuck, nothing can be said to it any more (`deaf`),
 * it does not take a prompt (`trigger`), or not even after it was resumed with it (`spawn`: a new session begins), it is
 * resumed with an answer, or a person wants it.
 */
export type RestartOrder = {
  readonly kind:
    | 'stuck'
    | 'deaf'
    | 'trigger'
    | 'spawn'
    | 'takeover'
    | 'handback'
    | 'resume'
    | 'retry'
    | 'answer'
  readonly by: string
  readonly reason: string
  readonly at: number
  /** Null: the recovery table decides how the task goes on. */
  readonly goOn: GoOn | null
  readonly mode: Mode | null
}

/** Said on a resume without a more exact reason. The agent has its transcript, but does not know that it was interrupted. */
export const CONTINUATION =
  'You were interrupted: your process ended before the work was done, and was started again. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

export const CONTINUATION_AFTER_LIMIT =
  'You were stopped by a usage limit, which is over now. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

/** For an agent whose process still lives. */
export const CONTINUATION_AFTER_STOP =
  'A person stopped your last turn, and lets you go on now. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

/** For an agent whose process still lives. */
export const CONTINUATION_AFTER_FAILURE =
  'Your last turn was cut short by a failure that may have passed. ' +
  'Check whether your last command took effect before you repeat it, then go on with the task.'

export const CONTINUATION_AFTER_COMPLETION =
  'You had finished, and a person brings you back. Look at what is still to be done for the task, and go on with it.'

export const CONTINUATION_AFTER_HANDBACK =
  'A person worked in this session and has handed it back to you. Go on with the task until it is done.'

/** An agent that cannot be given an answer while it runs is resumed with these words. */
export const wordsOfAnswer = (question: string, answer: string) =>
  `You asked: ${question.replace(/\s+/g, ' ').trim()}\nThe answer is: ${answer}\nGo on with the task.`
