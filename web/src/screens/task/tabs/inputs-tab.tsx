// Owns prompts as parcels: sent, typed, submitted, acknowledged, done, each with its time and evidence.

import type { InputStateJson, TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import type { TriggerJson } from '../../../../../src/protocol/json/trigger-json.ts'
import { call } from '../../../data/connection/call.ts'
import { useResource } from '../../../data/held/resource.ts'
import { usePrompt, useTriggersTo } from '../../../data/task/task.ts'
import { At } from '../../../parts/age.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { TriggerSteps } from '../../../parts/trigger-steps.tsx'
import { inputOutcome } from '../../../words/input.ts'
import { sentence } from '../../../words/sentence.ts'
import { timeOf } from '../../../words/time.ts'

export function InputsTab({ task }: { readonly task: TaskDetailJson }) {
  const triggers = useTriggersTo(task.session_id)
  return (
    <div className="p-4">
      <Stale of={triggers}>
        {(sent) => {
          const plain = task.inputs.filter(({ number }) => !sent.some((one) => one.number === number))
          const atStart = plain.find(({ kind }) => kind === 'prompt')
          const others = plain.filter((input) => input !== atStart)
          return (
            <ol aria-label="Inputs" className="flex flex-col gap-4">
              {sent.map((trigger) => (
                <Parcel key={trigger.trigger_id} trigger={trigger} />
              ))}
              {others.map((input) => (
                <li key={input.number} className="text-sm">
                  <span className="text-mut">
                    {input.kind} by {input.by}:{' '}
                  </span>
                  {input.text}
                  <span className="text-mut"> · {inputOutcome(input, task.questions)}</span>
                </li>
              ))}
              <AtStart task={task} input={atStart} />
            </ol>
          )
        }}
      </Stale>
      {task.takes_prompts && (
        <p className="mt-4 text-mut text-sm">
          Another prompt:{' '}
          <Copy text={`holdfast send ${task.runtime ?? task.name ?? task.session_id} "go on"`} />
        </p>
      )}
    </div>
  )
}

/** What it was created with. An agent that takes no prompts is started with it: then there is no input to follow. */
function AtStart({
  task,
  input,
}: {
  readonly task: TaskDetailJson
  readonly input: InputStateJson | undefined
}) {
  const prompt = usePrompt(task.session_id).value?.prompt
  // A runtime without a seed is told nothing at its start.
  if (prompt === '') return null
  return (
    <li className="rounded-md border border-line px-3.5 py-3">
      <p className="whitespace-pre-wrap">{prompt ?? '…'}</p>
      <p className="mt-0.5 text-mut text-sm">
        its first prompt, from {input?.by ?? task.created_by}, <At at={timeOf(task.created_at)} seconds />
        {input !== undefined && ` · ${input.done ? 'done' : inputOutcome(input, task.questions)}`}
      </p>
    </li>
  )
}

function Parcel({ trigger }: { readonly trigger: TriggerJson }) {
  const id = trigger.trigger_id
  const detail = useResource(['task', trigger.session_id, 'trigger', id], () =>
    call('GET /api/triggers/:id', { id, query: {} }),
  ).value
  return (
    <li className="rounded-md border border-line px-3.5 py-3">
      <p className="whitespace-pre-wrap">{detail?.text ?? '…'}</p>
      <p className="mt-0.5 text-mut text-sm">
        from {trigger.by}, <At at={timeOf(trigger.at)} seconds />
        {trigger.forced_by !== null && `, forced by ${trigger.forced_by}: ${trigger.forced_why}`}
      </p>
      {detail !== undefined && <TriggerSteps trigger={detail} />}
      {detail !== undefined && trigger.state !== 'done' && (
        <p className="mt-2 text-mut text-sm">{sentence(detail.next.what.replace(/^nothing: /, ''))}</p>
      )}
    </li>
  )
}
