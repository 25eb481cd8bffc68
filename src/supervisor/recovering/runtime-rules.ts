// Owns what follows the end of a runtime: however it ended, it comes back. docs/recovery.md shows these rows with the others.
import type { GoOn, RestartOrder } from '../../domain/task/go-on.ts'
import { elapsed } from '../../domain/text/elapsed.ts'
import type { EndFacts, RuntimeFacts } from './decide-end.ts'
import { type Rule, whenFound, whyFailed } from './rule-forms.ts'

export const runtimeRules: readonly Rule[] = [
  whenFound({
    name: 'runtime_given_up',
    seen: 'a runtime ended, and did not come up in `runtime.maxRestarts` restarts',
    does: 'escalated: resume, retry or close?',
    find: ({ runtime, retries, terms }) => (retries >= terms.retries ? runtime : null),
    after: (_, facts) => ({
      kind: 'ask',
      event: 'escalated',
      question: `This runtime did not come up in ${facts.retries} restarts (${whyFailed(facts)}). Resume, retry in a new session, or close?`,
      options: ['resume', 'retry', 'close'],
    }),
    reason: (_, facts) => `did not come up in ${facts.retries} restarts: ${whyFailed(facts)}`,
  }),
  whenFound({
    name: 'runtime_anew',
    seen: 'a runtime ended, as it did several times within `crashLoop.window`, or its session cannot be gone on with; or a prompt waits for it, for which it was resumed `trigger.resumeAttempts` times, or its agent has said nothing for `runtime.staleAfter`',
    does: 'started again after `runtime.grace`, in a new session; it is told the last messages of the thread of the prompt that waits',
    find: (facts) => {
      const { runtime } = facts
      const why = runtime && whyAnew(runtime, facts)
      return runtime === null || why === null ? null : { ...runtime, why }
    },
    after: ({ graceMs, anew }) => ({ kind: 'back_off', goOn: anew, waitMs: graceMs }),
    reason: ({ why }, facts) => `${whyFailed(facts)}; ${why}, so a new session begins`,
  }),
  whenFound({
    name: 'runtime_back',
    seen: 'a runtime ended, however that was: by itself, by a signal, or because somebody closed its pane',
    does: 'resumed after `runtime.grace`; the first time at once, when a prompt waits for it',
    find: ({ runtime }) => runtime,
    after: ({ graceMs, promptWaits }, { goOn, retries }) =>
      promptWaits && retries === 0
        ? { kind: 'go_on', goOn, costs: true, staggered: false }
        : { kind: 'back_off', goOn, waitMs: graceMs },
    reason: (_, facts) => whyFailed(facts),
  }),
]

/** Null when it may be resumed. */
function whyAnew(runtime: RuntimeFacts, facts: Pick<EndFacts, 'terms' | 'session'>): string | null {
  if (facts.session === 'refused') return 'its session id is not valid'
  if (runtime.restartsForPrompt !== null)
    return `it was started again ${runtime.restartsForPrompt} times for its prompt in vain`
  return whyNotForPrompt(runtime, facts)
}

function whyNotForPrompt(
  { deaths, silentMs }: RuntimeFacts,
  { terms }: Pick<EndFacts, 'terms'>,
): string | null {
  if (deaths >= terms.loopDeaths) return `it ended ${deaths} times lately`
  return silentMs === null ? null : `it had said nothing for ${elapsed(silentMs / 1000)}`
}

/**
 * How a runtime goes on that was ended for a prompt; null for every other restart, and where it is resumed. How often it
 * was resumed for it was counted when the restart was ordered.
 */
export function goOnWithPrompt({ kind }: RestartOrder, facts: EndFacts): GoOn | null {
  const { runtime } = facts
  if (runtime === null || (kind !== 'trigger' && kind !== 'spawn')) return null
  return kind === 'spawn' || whyNotForPrompt(runtime, facts) !== null ? runtime.anew : null
}
