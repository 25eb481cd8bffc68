// Owns what a person writes to a thread. A draft stays until it was posted.
import { type FormEvent, useState } from 'react'
import type { MessageKind } from '../../../../src/domain/thread/thread.ts'
import { orderAs } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { draftKey, draftTaken, useDraft } from '../../data/orders/drafts.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, Field, TextBox, TextInput } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'

const KINDS: readonly MessageKind[] = ['message', 'finding', 'status', 'result']

export function Post({ id }: { readonly id: string }) {
  const of = `thread ${id}`
  const [text, write] = useDraft(of)
  const [refs, setRefs] = useState('')
  const [kind, setKind] = useState<MessageKind>('message')
  const post = useOrder(async () => {
    const about = refs.split(/\s+/).filter((ref) => ref !== '')
    const body = { text, kind, refs: about }
    await orderAs(draftKey(of, body))('POST /api/threads/:id/messages', { id, body })
    draftTaken(of, text)
    setRefs((now) => (now === refs ? '' : now))
    refresh(['threads'])
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void post.give()
  }
  return (
    <form onSubmit={submit} className="mt-4 grid gap-3 md:grid-cols-[1fr_160px]">
      <Field label="Message" className="md:col-span-2">
        {(wired) => (
          <TextBox
            {...wired}
            required
            rows={3}
            value={text}
            onChange={(event) => write(event.target.value)}
          />
        )}
      </Field>
      <Field label="About" hint="Files, sessions or commits, with blanks between. May be empty.">
        {(wired) => <TextInput {...wired} value={refs} onChange={(event) => setRefs(event.target.value)} />}
      </Field>
      <Field label="Kind">
        {(wired) => (
          <Choice {...wired} value={kind} onChange={(event) => setKind(event.target.value as MessageKind)}>
            {KINDS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Choice>
        )}
      </Field>
      {post.refused !== undefined && (
        <div className="md:col-span-2">
          <Problem refused={post.refused} />
        </div>
      )}
      <p>
        <Button type="submit" kind="primary" busy={post.busy}>
          Post
        </Button>
      </p>
    </form>
  )
}
