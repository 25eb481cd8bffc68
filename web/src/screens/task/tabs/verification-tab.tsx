// Owns what the checks of a task's contract found, each time they ran, and running them now.
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import type { VerifiedJson } from '../../../../../src/protocol/json/verify-json.ts'
import { order } from '../../../data/connection/call.ts'
import { serverNow } from '../../../data/connection/server-clock.ts'
import { useOrder } from '../../../data/orders/use-order.ts'
import { useTaskEvents } from '../../../data/task/task-events.ts'
import { Ago, At } from '../../../parts/age.tsx'
import { Button } from '../../../parts/button.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Stale } from '../../../parts/stale.tsx'

type Found = Pick<VerifiedJson, 'verified'> & {
  readonly checks: readonly { readonly check: string; readonly ok: boolean; readonly why: string | null }[]
}

export function VerificationTab({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  const verified = useTaskEvents(id, 'verified')
  const [asked, setAsked] = useState<{ found: VerifiedJson; at: number | undefined }>()
  const check = useOrder(async () => {
    const found = await order('POST /api/tasks/:id/verify', { id, body: {} })
    setAsked({ found, at: serverNow() })
  })
  return (
    <div className="flex flex-col gap-4 p-4">
      {task.has_contract && (
        <div className="flex items-center gap-3">
          <Button busy={check.busy} onClick={() => check.give()} className="shrink-0 whitespace-nowrap">
            Check now
          </Button>
          <span className="text-mut text-sm">
            Runs the checks again and reports; the task itself does not change.
          </span>
        </div>
      )}
      {check.refused !== undefined && <Problem refused={check.refused} />}
      {asked !== undefined && (
        <FoundOf
          found={asked.found}
          title={
            <span>
              on your request
              {asked.at !== undefined && (
                <>
                  , <Ago at={asked.at} />
                </>
              )}
            </span>
          }
        />
      )}
      <Stale of={verified}>
        {(events) =>
          events.length === 0 ? (
            <Empty command="holdfast help verify">
              Its work was not checked yet. A contract (--verify) proves an end that is not only the agent's
              word:
            </Empty>
          ) : (
            events
              .toReversed()
              .map((event) => <FoundOf key={event.at} found={event} title={<At at={event.at} seconds />} />)
          )
        }
      </Stale>
    </div>
  )
}

const FoundOf = ({ found, title }: { readonly found: Found; readonly title: React.ReactNode }) => (
  <section className="rounded-md border border-line px-3.5 py-3">
    <p className="flex items-center gap-2 text-mut text-sm">
      {found.verified ? <Chip word="verified" tone="green" /> : <Chip word="not verified" tone="red" />}{' '}
      {title}
    </p>
    <ul className="mt-2 flex flex-col gap-1">
      {found.checks.map(({ check, ok, why }) => (
        <li key={check} className="flex gap-2">
          {ok ? (
            <CircleCheck size={16} className="mt-0.5 shrink-0 text-green" aria-label="passed" />
          ) : (
            <CircleX size={16} className="mt-0.5 shrink-0 text-red" aria-label="failed" />
          )}
          <span className="min-w-0">
            {check}
            {why !== null && <span className="block whitespace-pre-wrap text-mut text-sm">{why}</span>}
          </span>
        </li>
      ))}
    </ul>
  </section>
)
