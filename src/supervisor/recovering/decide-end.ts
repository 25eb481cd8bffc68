// Owns the judgement of an end: what it depends on, what may follow, and that the first rule that applies decides.

import type { FailureClass } from '../../domain/run/failure-class.ts'
import type { RecoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { GoOn, RestartOrder } from '../../domain/task/go-on.ts'
import type { AgentResult, Mode, StopOrder } from '../../domain/task/task.ts'
import { lastRule, rules } from './recovery-rules.ts'

/** Everything the decision depends on. */
export type EndFacts = {
  readonly stop: StopOrder | null
  readonly restart: RestartOrder | null
  /** Who ordered that it is completed when its turn is over, as it was. */
  readonly finishBy: string | null
  readonly mode: Mode
  /** What it said, or, for one that can say nothing, what its exit code says. */
  readonly result: AgentResult | null
  /** There is a contract that its work has to meet. */
  readonly mustVerify: boolean
  /** In plain words: how its process ended. */
  readonly ending: string
  readonly evidence: readonly Evidence[]
  readonly failure: FailureClass | null
  /** Its own word on the limit; null when it named no time. */
  readonly limitedUntil: number | null
  /** The agent itself reported the limit, so it holds for all tasks of the account. */
  readonly limitIsTold: boolean
  /** What it asks, where it hears no answer while it lives. */
  readonly asks: string | null
  /** It left by itself, whatever its exit code. */
  readonly left: boolean
  readonly byPerson: string | null
  /** What took the agent with it, at no fault of its own. `unseen`: its terminal went, and tmux cannot be asked why. */
  readonly takenBy: 'reboot' | 'terminal' | 'unseen' | null
  readonly session: 'known' | 'unknown' | 'refused'
  /** It was to be resumed, and there is no such session. */
  readonly sessionIsLost: boolean
  readonly goOn: GoOn
  /** Null for a task that is no runtime. */
  readonly standing: Standing | null
  /** Retries since the last progress; 0 when this run achieved something. */
  readonly retries: number
  /** Deaths without progress within the window, this one included. */
  readonly deaths: number
  /** Tasks of its account that failed alike on end, itself included. */
  readonly likeFailures: number
  readonly breakerFailures: number
  /** Of this run: not when it was noticed. */
  readonly endedAt: number
  /** As the one that tried for its account, this failure included; 0 when it was not that one. */
  readonly failuresAsCanary: number
  /** Since it failed like this before, others of those that its trouble would concern got on: it is its own. */
  readonly othersGetOn: boolean
  readonly workedMs: number
  readonly terms: RecoveryTerms
  readonly parkEnabled: boolean
  readonly now: number
  /** From 0 to 1. */
  readonly jitter: number
}

/** What brings a runtime back. */
export type Standing = {
  readonly graceMs: number
  /** Within the window of a crash loop, this one included. */
  readonly deaths: number
  /** Somebody waits for it with a prompt. */
  readonly promptWaits: boolean
  /** How it goes on in a new session. */
  readonly anew: GoOn
}

export type After =
  | { readonly kind: 'end'; readonly event: 'completed' | 'failed' | 'cancelled'; readonly escalate?: true }
  | { readonly kind: 'verify' }
  /** What it asked stays open; it goes on with the answer. */
  | { readonly kind: 'await_answer' }
  /** At once, or, where several wait for the same, one after the other. */
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
