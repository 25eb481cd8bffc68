// Owns the way of one prompt to its agent: every step with its time and evidence, and what is still to come.
import type { TriggerDetailJson } from '../../../src/protocol/json/trigger-json.ts'
import { sourceWord } from '../words/evidence.ts'
import { timeOf } from '../words/time.ts'
import { stepMark, stepsToCome } from '../words/trigger.ts'
import { At } from './age.tsx'
import { classes } from './classes.ts'

const MARKS = { well: 'bg-green', doubtful: 'bg-amber', failed: 'bg-red' } as const

export const TriggerSteps = ({ trigger }: { readonly trigger: TriggerDetailJson }) => (
  <ol className="mt-3 flex flex-col gap-2">
    {trigger.steps.map(({ number, state, code, at, evidence }) => (
      <li key={number} className="grid grid-cols-[12px_1fr] gap-x-2.5 text-sm">
        <span
          aria-hidden="true"
          className={classes('mt-1.5 size-2 rounded-full', MARKS[stepMark({ state })])}
        />
        <div>
          <p>
            <b className="font-semibold">{state.replace('_', ' ')}</b>{' '}
            <span className="text-mut">
              <At at={timeOf(at)} seconds />
              {code !== null && ` ${code}`}
            </span>
          </p>
          {evidence.map(({ source, fact }) => (
            <p key={`${source} ${fact}`} className="text-mut">
              {sourceWord(source)}: {fact}
            </p>
          ))}
        </div>
      </li>
    ))}
    {stepsToCome(trigger).map((step) => (
      <li key={step} className="grid grid-cols-[12px_1fr] gap-x-2.5 text-mut text-sm">
        <span aria-hidden="true" className="mt-1.5 size-2 rounded-full border border-edge" />
        {step}
      </li>
    ))}
  </ol>
)
