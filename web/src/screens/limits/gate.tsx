// Owns one gate: why it is closed, when it opens, who waits behind it, and the order to let them go on.
import type { GateJson } from '../../../../src/protocol/json/recovery-json.ts'
import { Refused } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { type BulkOutcome, orderEach } from '../../data/orders/bulk.ts'
import { unparkTask } from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { useServerNow } from '../../data/screen/now.ts'
import { Ago, Until } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { timeOf, withReadableTimes } from '../../words/time.ts'
import { gateTitle, gateWord } from './gate-words.ts'
import { TaskLink } from './task-link.tsx'

export type OnOutcome = (outcome: BulkOutcome) => void

export function Gate({ gate, onOutcome }: { readonly gate: GateJson; readonly onOutcome: OnOutcome }) {
  const [first] = gate.waiting
  const open = useOrder(async () => {
    await orderEach(gate.waiting, letGoOn, onOutcome)
    refresh(['parks'])
  })
  return (
    <Card label={gateTitle(gate)} className="px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-2.5">
        <Chip {...gateWord(gate)} />
        <b className="min-w-0 font-semibold">{gateTitle(gate)}</b>
        <span className="ml-auto text-mut text-sm">
          closed <Ago at={timeOf(gate.since)} />
        </span>
      </div>
      <p className="mt-2">{withReadableTimes(gate.reason, useServerNow() ?? timeOf(gate.since))}</p>
      <p className="mt-1 text-mut">
        Opens <Until at={timeOf(gate.until)} />
        {gate.canary !== null && (
          <>
            ; now <TaskLink id={gate.canary} />
            {' tries whether it is over'}
          </>
        )}
        {gate.tries > 0 && `; tried ${gate.tries === 1 ? 'once' : `${gate.tries} times`} so far`}.
      </p>
      <h3 className="mt-3 text-mut text-sm">Behind it, in this order</h3>
      {gate.waiting.length === 0 ? (
        <p className="text-sm">No task. New ones wait here until it opens.</p>
      ) : (
        <ol className="mt-1 flex flex-col gap-0.5 text-sm">
          {gate.waiting.map((id, place) => (
            <li key={id} className="flex gap-2">
              <span className="w-5 shrink-0 text-right text-mut">{place + 1}</span>
              <TaskLink id={id} />
            </li>
          ))}
        </ol>
      )}
      {first !== undefined && (
        <p className="mt-3 flex flex-wrap items-center gap-3">
          <Button busy={open.busy} onClick={() => void open.give()}>
            Let them go on now
          </Button>
          <span className="text-mut text-sm">
            {gate.kind === 'limit'
              ? 'If the limit is still there, they wait again.'
              : 'If the cause is still there, they wait again.'}
          </span>
        </p>
      )}
    </Card>
  )
}

/** With the first of them the gate may open for all: who does not wait any more has what was wanted. */
const letGoOn = async (id: string) => {
  try {
    await unparkTask(id)
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'NOT_PARKED')) throw error
  }
}
