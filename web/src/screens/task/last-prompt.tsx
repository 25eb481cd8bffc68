// Owns the way of the last prompt to its agent, in short: its steps with their times, and those to come.
import type { TriggerDetailJson } from '../../../../src/protocol/json/trigger-json.ts'
import { call } from '../../data/connection/call.ts'
import { useResource } from '../../data/held/resource.ts'
import { useTriggersTo } from '../../data/task/task.ts'
import { At } from '../../parts/age.tsx'
import { classes } from '../../parts/classes.ts'
import { timeOf } from '../../words/time.ts'
import { stepMark, stepsToCome } from '../../words/trigger.ts'

/** Undefined when none was sent since its start. */
export function useLastPrompt(session: string): TriggerDetailJson | undefined {
  const [last] = useTriggersTo(session).value ?? []
  const id = last?.trigger_id ?? ''
  return useResource(
    ['task', session, 'trigger', id],
    () => call('GET /api/triggers/:id', { id, query: {} }),
    {
      enabled: id !== '',
    },
  ).value
}

const MARKS = { well: 'bg-green', doubtful: 'bg-amber', failed: 'bg-red' } as const
/** The steps before these are told in the tab of inputs. */
const MOST_STEPS = 5

export const LastPrompt = ({ trigger }: { readonly trigger: TriggerDetailJson }) => (
  <>
    <p className="line-clamp-2">{trigger.text}</p>
    <ol className="mt-1 flex flex-col gap-0.5 text-sm">
      {trigger.steps.slice(-MOST_STEPS).map((step) => (
        <li key={step.number} className="flex items-center gap-2">
          <Dot className={MARKS[stepMark(step)]} />
          <span className="flex-1">{step.state.replace('_', ' ')}</span>
          <span className="text-mut">
            <At at={timeOf(step.at)} seconds />
          </span>
        </li>
      ))}
      {stepsToCome(trigger).map((step) => (
        <li key={step} className="flex items-center gap-2 text-mut">
          <Dot className="border border-edge" />
          {step}
        </li>
      ))}
    </ol>
  </>
)

const Dot = ({ className }: { readonly className: string }) => (
  <span aria-hidden="true" className={classes('size-2 shrink-0 rounded-full', className)} />
)
