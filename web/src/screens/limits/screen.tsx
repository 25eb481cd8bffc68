// Owns the screen of what holds tasks back: usage limits, troubles of the machine, and when they are over.
import { useState } from 'react'
import { Link } from 'wouter'
import type { GateJson, ParkedJson, ParksJson } from '../../../../src/protocol/json/recovery-json.ts'
import { order, Refused } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { useParks } from '../../data/house/parks.ts'
import { type BulkOutcome, orderEach } from '../../data/orders/bulk.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { useActiveTasks } from '../../data/tasks/tasks.ts'
import { Ago, Until } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Rows } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Row } from '../../parts/row.tsx'
import { Section } from '../../parts/section.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { timeOf, timeOrNull } from '../../words/time.ts'
import { gateTitle, gateWord } from './gate-words.ts'

export function LimitsScreen() {
  const parks = useParks()
  // Here, not at its gate: the gate may be gone as soon as the first of them goes on.
  const [outcome, setOutcome] = useState<BulkOutcome>()
  return (
    <Screen title="Limits">
      {outcome !== undefined && outcome.failures.length > 0 && (
        <NotAll outcome={outcome} onClose={() => setOutcome(undefined)} />
      )}
      <Stale of={parks}>{(value) => <Held parks={value} onOutcome={setOutcome} />}</Stale>
    </Screen>
  )
}

type OnOutcome = (outcome: BulkOutcome) => void

function Held({
  parks: { gates, parked },
  onOutcome,
}: {
  readonly parks: ParksJson
  readonly onOutcome: OnOutcome
}) {
  if (gates.length === 0 && parked.length === 0)
    return (
      <Empty command="holdfast parks">
        Nothing is held back. When an agent reaches its usage limit, its tasks wait here until the limit ends,
        and then go on by themselves.
      </Empty>
    )
  return (
    <>
      <NextWake gates={gates} parked={parked} />
      {gates.length > 0 && (
        <Section title="Gates" note={gates.length}>
          <div className="grid gap-3">
            {gates.map((gate) => (
              <Gate key={gate.key} gate={gate} onOutcome={onOutcome} />
            ))}
          </div>
        </Section>
      )}
      {parked.length > 0 && (
        <Section title="Waiting by themselves" note={parked.length}>
          <Rows label="Tasks that wait by themselves">
            {parked.map((one) => (
              <Parked key={one.session_id} parked={one} />
            ))}
          </Rows>
        </Section>
      )}
    </>
  )
}

/** The first time at which something goes on by itself. */
function NextWake({ gates, parked }: ParksJson) {
  const times = [...gates.map(({ until }) => until), ...parked.map(({ until }) => until)].flatMap(
    (at) => timeOrNull(at) ?? [],
  )
  const waiting = gates.reduce((count, gate) => count + gate.waiting.length, parked.length)
  const tasks = waiting === 0 ? 'No task waits' : waiting === 1 ? '1 task waits' : `${waiting} tasks wait`
  return (
    <p className="text-mut">
      {tasks}.{' '}
      {times.length === 0 ? (
        'No time is set for any of them.'
      ) : (
        <>
          The next wake is <Until at={Math.min(...times)} />.
        </>
      )}
    </p>
  )
}

function Gate({ gate, onOutcome }: { readonly gate: GateJson; readonly onOutcome: OnOutcome }) {
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
      <p className="mt-2">{gate.reason}</p>
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
          <span className="text-mut text-sm">If the limit is still there, they wait again.</span>
        </p>
      )}
    </Card>
  )
}

/** With the first of them the gate may open for all: who does not wait any more has what was wanted. */
const letGoOn = async (id: string) => {
  try {
    await order('POST /api/tasks/:id/unpark', { id })
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'NOT_PARKED')) throw error
  }
}

/** What came of the order, where some of them were refused. */
const NotAll = ({
  outcome: { done, total, failures },
  onClose,
}: {
  readonly outcome: BulkOutcome
  readonly onClose: () => void
}) => (
  <div role="alert" className="rounded-md border border-red/30 bg-red/6 px-3 py-2 text-sm">
    <p className="flex items-center">
      {done - failures.length} of {total} were let go on. Refused:
      <Button kind="quiet" className="ml-auto" onClick={onClose}>
        Put away
      </Button>
    </p>
    <ul>
      {failures.map(({ id, message }) => (
        <li key={id}>
          <TaskLink id={id} />: <span className="text-red">{message}</span>
        </li>
      ))}
    </ul>
  </div>
)

function Parked({ parked: { session_id, agent, reason, until } }: { readonly parked: ParkedJson }) {
  const unpark = useOrder(async () => {
    await order('POST /api/tasks/:id/unpark', { id: session_id })
    refresh(['parks'])
  })
  const at = timeOrNull(until)
  const title = useTitleOf(session_id)
  return (
    <Row
      mark={<Chip word="parked" tone="indigo" wide />}
      title={title ?? session_id}
      href={`/tasks/${session_id}`}
      below={
        <>
          {agent}: {reason ?? 'no reason is known'}
          {unpark.refused !== undefined && <span className="text-red"> {unpark.refused.message}</span>}
        </>
      }
      right={
        <>
          {at === null ? 'no time is set' : <Until at={at} />}
          <Button className="relative z-10" busy={unpark.busy} onClick={() => void unpark.give()}>
            Go on now
          </Button>
        </>
      }
    />
  )
}

/** By its title, as far as the list of tasks has it. */
function TaskLink({ id }: { readonly id: string }) {
  const title = useTitleOf(id)
  return (
    <Link href={`/tasks/${id}`} title={id} className="min-w-0 text-accent hover:underline">
      {title ?? <code>{id}</code>}
    </Link>
  )
}

const useTitleOf = (id: string) => useActiveTasks().value?.tasks.find((task) => task.session_id === id)?.title
