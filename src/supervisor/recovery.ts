// Owns the judgement of an end: what it depends on, what may follow, and that the first rule that applies decides.
import { type Evidence, saw } from '../domain/evidence.ts'
import type { FailureClass } from '../domain/failure-class.ts'
import type { GoOn, RestartOrder } from '../domain/go-on.ts'
import type { RecoveryTerms } from '../domain/recovery-terms.ts'
import type { AgentResult, Mode, StopOrder } from '../domain/task.ts'
import { recoveryRules } from './recovery-rules.ts'

/** Everything the decision depends on. */
export type EndFacts = {
  readonly stop: StopOrder | null
  readonly restart: RestartOrder | null
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
  /** Where the limit holds for all tasks of the account. */
  readonly limitIsTold: boolean
  readonly byPerson: string | null
  /** What took the agent with it, at no fault of its own. */
  readonly takenBy: 'reboot' | 'terminal' | null
  readonly session: 'known' | 'unknown' | 'refused'
  /** It was to be resumed, and there is no such session. */
  readonly sessionIsLost: boolean
  readonly goOn: GoOn
  /** Retries since the last progress; 0 when this run achieved something. */
  readonly retries: number
  /** Deaths without progress within the window, this one included. */
  readonly deaths: number
  /** Like failures of its account on end, this one included. */
  readonly likeFailures: number
  readonly breakerFailures: number
  readonly workedMs: number
  readonly terms: RecoveryTerms
  readonly parkEnabled: boolean
  readonly now: number
  /** From 0 to 1. */
  readonly jitter: number
}

export type After =
  | { readonly kind: 'end'; readonly event: 'completed' | 'failed' | 'cancelled'; readonly escalate?: true }
  | { readonly kind: 'verify' }
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
  const rule = recoveryRules.find(({ applies }) => applies(facts))!
  return {
    rule: rule.name,
    after: rule.after(facts),
    reason: rule.reason(facts),
    evidence: [...ordered(facts), ...facts.evidence],
  }
}

const ordered = ({ stop }: EndFacts): Evidence[] =>
  stop === null ? [] : [saw(stop.by === 'holdfast' ? 'store' : 'person', `ended by ${stop.by}`)]
