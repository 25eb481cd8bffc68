// Owns the screen of what holds tasks back: usage limits, troubles of the machine, and when they are over.
import { useState } from 'react'
import type { ParksJson } from '../../../../src/protocol/json/recovery-json.ts'
import { useParks } from '../../data/installation/parks.ts'
import type { BulkOutcome } from '../../data/orders/bulk.ts'
import { Until } from '../../parts/age.tsx'
import { Rows } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Section } from '../../parts/section.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { timeOrNull } from '../../words/time.ts'
import { Gate, type OnOutcome } from './gate.tsx'
import { NotAll } from './not-all.tsx'
import { Parked } from './parked.tsx'

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
