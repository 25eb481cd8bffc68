import type { RuntimeTransitionJson } from '../../../../src/protocol/json/runtime-json.ts'
import { At } from '../../parts/age.tsx'
import { sourceWord } from '../../words/evidence.ts'
import { timeOf } from '../../words/time.ts'
import { runtimeWord } from './runtime-words.ts'

const wordOf = (state: RuntimeTransitionJson['from']) =>
  state === 'unregistered'
    ? 'new'
    : runtimeWord({ state, wanted: 'up', elsewhere: null, question: null }).word

/** The latest steps of a runtime, newest first, each with what it was concluded from. */
export const Transitions = ({ transitions }: { readonly transitions: readonly RuntimeTransitionJson[] }) => (
  <ol className="flex flex-col gap-2.5 text-sm">
    {transitions.toReversed().map(({ at, event, from, to, reason, evidence }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two steps may bear the same time.
      <li key={`${at}-${place}`} className="grid gap-x-3 md:grid-cols-[8rem_1fr]">
        <span className="text-mut">
          <At at={timeOf(at)} seconds />
        </span>
        <div className="min-w-0">
          <p>
            <b className="font-semibold">
              {wordOf(from)} → {wordOf(to)}
            </b>{' '}
            <span className="text-mut">{event.replaceAll('_', ' ')}</span>
          </p>
          <p>{reason}</p>
          {evidence.map(({ source, fact }) => (
            <p key={`${source} ${fact}`} className="text-mut">
              {sourceWord(source)}: {fact}
            </p>
          ))}
        </div>
      </li>
    ))}
  </ol>
)
