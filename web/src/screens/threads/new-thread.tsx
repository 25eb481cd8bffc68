// Owns the form that begins a thread.
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { orderAs } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { draftKey, draftTaken } from '../../data/orders/drafts.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'

const NEW = 'new thread'

export function NewThread({ close }: { readonly close: () => void }) {
  const [title, setTitle] = useState('')
  const [names, setNames] = useState('')
  const [, go] = useLocation()
  const create = useOrder(async () => {
    const members = names.split(/[\s,]+/).filter((name) => name !== '')
    const body = { title, members }
    const { thread_id } = await orderAs(draftKey(NEW, body))('POST /api/threads', { body })
    draftTaken(NEW, '')
    refresh(['threads'])
    close()
    go(`/threads/${thread_id}`)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.give()
  }
  return (
    <Card label="New thread" className="mb-3 px-4 py-3.5">
      <form onSubmit={submit} className="grid gap-3">
        <Field label="Title">
          {(wired) => (
            <TextInput {...wired} required value={title} onChange={(event) => setTitle(event.target.value)} />
          )}
        </Field>
        <Field label="Members" hint="Sessions or runtimes, with commas between.">
          {(wired) => (
            <TextInput {...wired} value={names} onChange={(event) => setNames(event.target.value)} />
          )}
        </Field>
        {create.refused !== undefined && <Problem refused={create.refused} />}
        <div className="flex gap-2">
          <Button type="submit" kind="primary" busy={create.busy}>
            Begin
          </Button>
          <Button kind="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Card>
  )
}
