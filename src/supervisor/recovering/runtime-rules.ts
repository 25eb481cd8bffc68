// Owns what follows the end of a runtime: however it ended, it comes back. docs/recovery.md shows these rows with the others.
import { type Rule, whenFound, whyFailed } from './rule-forms.ts'

export const runtimeRules: readonly Rule[] = [
  whenFound({
    name: 'runtime_given_up',
    seen: 'a runtime ended, and did not come up in `runtime.maxRestarts` restarts',
    does: 'escalated: resume, retry or close?',
    find: ({ standing, retries, terms }) => (retries >= terms.retries ? standing : null),
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
    seen: 'a runtime ended, as it did several times within `crashLoop.window`, or its session cannot be gone on with',
    does: 'started again after `runtime.grace`, in a new session',
    find: ({ standing, terms, session }) =>
      standing !== null && (standing.deaths >= terms.loopDeaths || session === 'refused') ? standing : null,
    after: ({ graceMs, anew }) => ({ kind: 'back_off', goOn: anew, waitMs: graceMs }),
    reason: ({ deaths }, facts) =>
      `${whyFailed(facts)}; ended ${deaths} times lately, so a new session begins`,
  }),
  whenFound({
    name: 'runtime_back',
    seen: 'a runtime ended, however that was: by itself, by a signal, or because somebody closed its pane',
    does: 'resumed after `runtime.grace`; the first time at once, when a prompt waits for it',
    find: ({ standing }) => standing,
    after: ({ graceMs, promptWaits }, { goOn, retries }) =>
      promptWaits && retries === 0
        ? { kind: 'go_on', goOn, costs: true, staggered: false }
        : { kind: 'back_off', goOn, waitMs: graceMs },
    reason: (_, facts) => whyFailed(facts),
  }),
]
