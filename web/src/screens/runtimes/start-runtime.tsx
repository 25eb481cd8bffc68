// Owns the form that starts a runtime.
import { type FormEvent, useState } from 'react'
import { order } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { useRoles, useWorkspaces } from '../../data/installation/places.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Choice, Field, TextBox, TextInput } from '../../parts/field.tsx'
import { NoWorkspace } from '../../parts/no-workspace.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'

export function StartRuntime({ close }: { readonly close: () => void }) {
  const workspaces = useWorkspaces()
  return (
    <Stale of={workspaces}>
      {(all) =>
        all.length === 0 ? <NoWorkspace /> : <Form dirs={all.map(({ path }) => path)} close={close} />
      }
    </Stale>
  )
}

function Form({ dirs, close }: { readonly dirs: readonly string[]; readonly close: () => void }) {
  const [chosen, setDir] = useState('')
  const dir = chosen || dirs[0] || ''
  const roles = useRoles(dir)
  const [role, setRole] = useState('')
  const [agent, setAgent] = useState('')
  const [seed, setSeed] = useState('')
  const start = useOrder(() =>
    order('POST /api/runtimes', {
      body: { role, dir, ...(agent === '' ? {} : { agent }), ...(seed === '' ? {} : { seed }) },
    }),
  )
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await start.give())) return
    refresh(['runtimes'])
    close()
  }
  return (
    <Card label="Start a runtime" className="px-4 py-4">
      <form onSubmit={submit} className="grid gap-4 md:grid-cols-2">
        <Field label="Directory" hint="Where a person allowed agents to work.">
          {(wired) => (
            <Choice {...wired} value={dir} onChange={(event) => setDir(event.target.value)}>
              {dirs.map((path) => (
                <option key={path}>{path}</option>
              ))}
            </Choice>
          )}
        </Field>
        <Field label="Role" hint="Of a role file, or any name together with an agent.">
          {(wired) => (
            <>
              <TextInput
                {...wired}
                required
                value={role}
                onChange={(event) => setRole(event.target.value)}
                list={`${wired.id}-roles`}
              />
              <datalist id={`${wired.id}-roles`}>
                {roles.value?.map((one) => (
                  <option key={one.role} value={one.role} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Agent" hint="Empty: that of the role, or of your settings.">
          {(wired) => (
            <TextInput {...wired} value={agent} onChange={(event) => setAgent(event.target.value)} />
          )}
        </Field>
        <Field label="Told first" hint="May be empty.">
          {(wired) => (
            <TextBox {...wired} rows={2} value={seed} onChange={(event) => setSeed(event.target.value)} />
          )}
        </Field>
        {start.refused !== undefined && (
          <div className="md:col-span-2">
            <Problem refused={start.refused} />
          </div>
        )}
        <div className="flex gap-2 md:col-span-2">
          <Button type="submit" kind="primary" busy={start.busy}>
            Start
          </Button>
          <Button kind="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Card>
  )
}
