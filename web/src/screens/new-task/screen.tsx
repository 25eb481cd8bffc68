// Owns the form of a new task. What was written stays until the task is made; a refusal stands at its field.
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { orderAs } from '../../data/connection/call.ts'
import { useAgents } from '../../data/installation/agents.ts'
import { useRoles, useWorkspaces } from '../../data/installation/places.ts'
import { draftKey, draftTaken } from '../../data/orders/drafts.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Choice, Field, TextBox, TextInput } from '../../parts/field.tsx'
import { NoWorkspace } from '../../parts/no-workspace.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { type Asked, fieldOf, NOTHING_ASKED, taskOf } from './asked.ts'

const NEW = 'new task'

export function NewTaskScreen() {
  const workspaces = useWorkspaces()
  return (
    <Screen title="New task">
      <Stale of={workspaces}>
        {(all) => (all.length === 0 ? <NoWorkspace /> : <Form dirs={all.map(({ path }) => path)} />)}
      </Stale>
    </Screen>
  )
}

const PERMISSION_WORDS: Readonly<Record<Asked['permissions'], string>> = {
  default: "the agent's own settings",
  read: 'read: change nothing',
  edit: 'edit: change files in its directory',
  full: 'full: everything that you may do',
}

function Form({ dirs }: { readonly dirs: readonly string[] }) {
  const [asked, setAsked] = useState<Asked>({ ...NOTHING_ASKED, dir: dirs[0] ?? '' })
  const [, go] = useLocation()
  const roles = useRoles(asked.dir)
  const agents = useAgents()
  const set = (changes: Partial<Asked>) => setAsked({ ...asked, ...changes })
  const create = useOrder(async () => {
    const body = taskOf(asked)
    const { task } = await orderAs(draftKey(NEW, body))('POST /api/tasks', { body })
    draftTaken(NEW, '')
    go(`/tasks/${task.session_id}`)
  })
  const wrong = create.refused && fieldOf(create.refused.code)
  const errorAt = (field: keyof Asked) =>
    wrong === field && create.refused !== undefined
      ? `${create.refused.message} ${create.refused.hint}`
      : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create.give()
  }
  const role = roles.value?.find((one) => one.role === asked.role)
  return (
    <Card label="New task" className="max-w-190 px-5 py-5">
      <form onSubmit={submit} className="grid gap-5 md:grid-cols-2">
        <Field label="What is to be done" error={errorAt('prompt')} className="md:col-span-2">
          {(wired) => (
            <TextBox
              {...wired}
              required
              rows={6}
              value={asked.prompt}
              placeholder="Fix the failing login test. Do not change the API."
              onChange={(event) => set({ prompt: event.target.value })}
            />
          )}
        </Field>
        <Field label="Directory" error={errorAt('dir')} hint="Where a person allowed agents to work.">
          {(wired) => (
            <Choice
              {...wired}
              value={asked.dir}
              onChange={(event) => set({ dir: event.target.value, role: '' })}
            >
              {dirs.map((dir) => (
                <option key={dir}>{dir}</option>
              ))}
            </Choice>
          )}
        </Field>
        <Field
          label="Role"
          error={errorAt('role') ?? role?.problem ?? undefined}
          hint={role?.description || 'A role file of this directory, if it has any.'}
        >
          {(wired) => (
            <Choice {...wired} value={asked.role} onChange={(event) => set({ role: event.target.value })}>
              <option value="">none</option>
              {roles.value?.map((one) => (
                <option key={one.role}>{one.role}</option>
              ))}
            </Choice>
          )}
        </Field>
        <Field
          label="Agent"
          error={errorAt('agent')}
          hint="The default is that of the role, or of your settings."
        >
          {(wired) => (
            <Choice {...wired} value={asked.agent} onChange={(event) => set({ agent: event.target.value })}>
              <option value="">default</option>
              {agents.value?.map(({ kind, found, unusable }) => (
                <option key={kind} value={kind} disabled={!found || unusable !== null}>
                  {kind}
                  {!found ? ' (not found)' : unusable === null ? '' : ' (cannot be used)'}
                </option>
              ))}
            </Choice>
          )}
        </Field>
        <Field
          label="Mode"
          error={errorAt('mode')}
          hint={
            asked.mode === 'interactive'
              ? 'In a terminal that people can attach to.'
              : 'Without a terminal; it ends when the work is done.'
          }
        >
          {(wired) => (
            <Choice
              {...wired}
              value={asked.mode}
              onChange={(event) => set({ mode: event.target.value as Asked['mode'] })}
            >
              <option value="headless">headless</option>
              <option value="interactive">interactive</option>
            </Choice>
          )}
        </Field>
        <Field label="May do without asking" error={errorAt('permissions')}>
          {(wired) => (
            <Choice
              {...wired}
              value={asked.permissions}
              onChange={(event) => set({ permissions: event.target.value as Asked['permissions'] })}
            >
              {Object.entries(PERMISSION_WORDS).map(([one, words]) => (
                <option key={one} value={one}>
                  {words}
                </option>
              ))}
            </Choice>
          )}
        </Field>
        <Field label="Title" hint="Empty: the first words of what is to be done.">
          {(wired) => (
            <TextInput
              {...wired}
              maxLength={200}
              value={asked.title}
              onChange={(event) => set({ title: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Contract"
          error={errorAt('contract')}
          className="md:col-span-2"
          hint={
            <>
              One check a line: <code>cmd:npm test</code> must exit with 0, <code>file:report.md</code> must
              be there. The task is done only when all pass. Empty: the checks of your settings.
            </>
          }
        >
          {(wired) => (
            <TextBox
              {...wired}
              rows={3}
              className="font-mono"
              value={asked.contract}
              onChange={(event) => set({ contract: event.target.value })}
            />
          )}
        </Field>
        {create.refused !== undefined && wrong === undefined && (
          <div className="md:col-span-2">
            <Problem refused={create.refused} />
          </div>
        )}
        <p className="md:col-span-2">
          <Button type="submit" kind="primary" busy={create.busy} className="max-md:min-h-11 max-md:w-full">
            Start the task
          </Button>
        </p>
      </form>
    </Card>
  )
}
