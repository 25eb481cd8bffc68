// Owns one prompt as a parcel: every step with its time and evidence, what it waits for, and the person's word that it
// is to be typed at once.
import { type FormEvent, useState } from 'react'
import type { TriggerDetailJson } from '../../../../src/protocol/json/trigger-json.ts'
import { order } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { useTrigger } from '../../data/installation/triggers.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Until } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'
import { TriggerSteps } from '../../parts/trigger-steps.tsx'
import { sentence } from '../../words/sentence.ts'
import { timeOrNull } from '../../words/time.ts'
import { isUnderWay, isWaiting, mayBeForced } from '../../words/trigger.ts'

export function Parcel({ id }: { readonly id: string }) {
  const known = useTrigger(id)
  return (
    <div className="mt-3 border-line border-t pt-3">
      <Stale of={known}>{(trigger) => <Tracked trigger={trigger} />}</Stale>
    </div>
  )
}

function Tracked({ trigger }: { readonly trigger: TriggerDetailJson }) {
  const until = timeOrNull(trigger.waits_until)
  const next = timeOrNull(trigger.next.at)
  return (
    <>
      <pre className="max-h-40 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-code px-3 py-2">
        {trigger.text}
      </pre>
      <TriggerSteps trigger={trigger} />
      {isWaiting(trigger) && (
        <p className="mt-3 text-sm">
          It waits: {trigger.kept_back?.what ?? trigger.next.what}
          {until !== null && (
            <>
              {' '}
              (<Until at={until} />)
            </>
          )}
        </p>
      )}
      {isUnderWay(trigger) && (
        <p className="mt-3 text-sm">
          {sentence(trigger.next.what.replace(/^nothing: /, ''))}
          {next !== null && (
            <>
              {' '}
              (<Until at={next} />)
            </>
          )}
        </p>
      )}
      {trigger.forced_by !== null && (
        <p className="mt-2 text-mut text-sm">
          Forced by {trigger.forced_by}: {trigger.forced_why}
        </p>
      )}
      {mayBeForced(trigger) && <Force id={trigger.trigger_id} />}
    </>
  )
}

/** Over the keys of a person: only with a name and a reason, which the audit keeps. */
function Force({ id }: { readonly id: string }) {
  const [asks, setAsks] = useState(false)
  const [operator, setOperator] = useState('')
  const [why, setWhy] = useState('')
  const force = useOrder(() => order('POST /api/triggers/:id/force', { id, body: { operator, why } }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await force.give()) refresh(['triggers'])
  }
  if (!asks)
    return (
      <p className="mt-3">
        <Button onClick={() => setAsks(true)}>Type it now…</Button>
      </p>
    )
  return (
    <form onSubmit={submit} className="mt-3 grid gap-3 md:grid-cols-2">
      <Field label="Who says so">
        {(wired) => (
          <TextInput
            {...wired}
            required
            value={operator}
            onChange={(event) => setOperator(event.target.value)}
          />
        )}
      </Field>
      <Field label="Why">
        {(wired) => (
          <TextInput {...wired} required value={why} onChange={(event) => setWhy(event.target.value)} />
        )}
      </Field>
      {force.refused !== undefined && (
        <div className="md:col-span-2">
          <Problem refused={force.refused} />
        </div>
      )}
      <p className="flex flex-wrap items-center gap-2 md:col-span-2">
        <Button type="submit" kind="danger" busy={force.busy}>
          Type it although somebody typed there
        </Button>
        <Button kind="quiet" onClick={() => setAsks(false)}>
          Wait
        </Button>
      </p>
    </form>
  )
}
