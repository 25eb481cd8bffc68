// Owns the judgement of a run's end: what it depends on, what may follow, and that the first rule that applies decides.

import type { FailureClass } from '../../domain/run/failure-class.ts'
import type { RecoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { GoOn, RestartOrder } from '../../domain/task/go-on.ts'
import type { AgentResult } from '../../domain/task/run.ts'
import type { Mode, StopOrder } from '../../domain/task/task.ts'
import { lastRule, rules } from './recovery-rules.ts'

/** Everything that the decision depends on. Times are epoch ms. */
export type EndFacts = {
  readonly stop: StopOrder | null
  readonly restart: RestartOrder | null
  /** Who ordered the task to finish; null when nobody did, or when the order was not due yet. */
  readonly finishBy: string | null
  readonly mode: Mode
  /** What the agent reported; of an agent that cannot report, what its exit code says. */
  readonly result: AgentResult | null
  /** The task has a contract that its work must meet. */
  readonly mustVerify: boolean
  /** Of how many tasks that it started it does not know the end; 0 for a task that is told of them while it lives. */
  readonly untoldChildren: number
  /** How the process ended, in plain words. */
  readonly ending: string
  readonly evidence: readonly Evidence[]
  readonly failure: FailureClass | null
  /** When the limit ends, as the agent said; null when it named no time. */
  readonly limitedUntil: number | null
  /** The agent itself reported the limit, so it holds for all tasks of the account. */
  readonly limitIsTold: boolean
  /** The agent's open question, if the agent takes no answers while it runs; otherwise null. */
  readonly asks: string | null
  /** The agent exited by itself, with any exit code. */
  readonly exitedByItself: boolean
  /** How a person stopped the run, in words; null when nobody did. */
  readonly byPerson: string | null
  /** What ended the agent from outside. `terminal_lost`: its terminal went away, and tmux cannot be asked why. */
  readonly outsideCause: 'reboot' | 'tmux_died' | 'terminal_lost' | null
  readonly session: 'known' | 'unknown' | 'refused'
  /** The run was to resume a session that the agent does not know. */
  readonly sessionIsLost: boolean
  readonly goOn: GoOn
  /** What brings a runtime back; null for a task that is none. */
  readonly runtime: RuntimeFacts | null
  /** Retries since the last progress; 0 when this run made progress. */
  readonly retries: number
  /** Deaths without progress within the crash-loop window, this one included. */
  readonly deaths: number
  /** How many tasks of the account failed in the same way in a row, this one included. */
  readonly likeFailures: number
  /** So many `likeFailures` close the account's breaker. */
  readonly breakerFailures: number
  /** When the run ended, not when that was noticed. */
  readonly endedAt: number
  /** How often the task failed as a breaker's canary, this failure included; 0 when it was not the canary. */
  readonly failuresAsCanary: number
  /** Since this task last failed in this way, tasks that would share the cause made progress: the trouble is its own. */
  readonly othersMakeProgress: boolean
  readonly workedMs: number
  readonly terms: RecoveryTerms
  readonly parkEnabled: boolean
  readonly now: number
  /** Random, from 0 to 1. */
  readonly jitter: number
}

/** What brings a runtime back. */
export type RuntimeFacts = {
  readonly graceMs: number
  /** Within the window of a crash loop, this one included. */
  readonly deaths: number
  /** Somebody waits for it with a prompt. */
  readonly promptWaits: boolean
  /** How it goes on in a new session. */
  readonly anew: GoOn
  /** A prompt waits for it, and its agent has said nothing for this long, so its session is not resumed. */
  readonly silentMs: number | null
  /** A prompt waits for it, for which it was started again this often: it is not resumed once more. */
  readonly restartsForPrompt: number | null
}

export type After =
  | { readonly kind: 'end'; readonly event: 'completed' | 'failed' | 'cancelled'; readonly escalate?: true }
  | { readonly kind: 'verify' }
  /** It goes on when the tasks that it started have ended. */
  | { readonly kind: 'await_children'; readonly goOn: GoOn }
  /** The agent's question stays open; the task goes on with the answer. */
  | { readonly kind: 'await_answer' }
  /** `costs`: it uses up a retry. `staggered`: tasks that go on for the same reason do so one after the other. */
  | { readonly kind: 'go_on'; readonly goOn: GoOn; readonly costs: boolean; readonly staggered: boolean }
  | { readonly kind: 'back_off'; readonly goOn: GoOn; readonly waitMs: number }
  | {
      readonly kind: 'park'
      readonly goOn: GoOn
      readonly gate: 'limit' | 'environment' | 'breaker' | null
      readonly untilMs: number
    }
  | {
      readonly kind: 'ask'
      readonly event: 'question_asked' | 'person_stopped' | 'escalated'
      readonly question: string
      readonly options: readonly PersonChoice[]
    }
export type PersonChoice = 'resume' | 'retry' | 'close'

export type Verdict = {
  readonly rule: string
  readonly after: After
  readonly reason: string
  readonly evidence: readonly Evidence[]
}

export function decideEnd(facts: EndFacts): Verdict {
  const evidence = [...ordered(facts), ...facts.evidence]
  for (const { name, decide } of rules) {
    const decided = decide(facts)
    if (decided !== null) return { rule: name, ...decided, evidence }
  }
  return { rule: lastRule.name, ...lastRule.decide(facts), evidence }
}

const ordered = ({ stop }: EndFacts): Evidence[] =>
  stop === null ? [] : [saw(stop.by === 'holdfast' ? 'store' : 'person', `ended by ${stop.by}`)]
