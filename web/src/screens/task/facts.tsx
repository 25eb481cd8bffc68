// Owns the facts beside a task's tabs.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { At, Lasting } from '../../parts/age.tsx'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { amount, money, timeOf, timeOrNull } from '../../words/time.ts'
import { ContractFact } from './contract-fact.tsx'
import { LastPrompt, useLastPrompt } from './last-prompt.tsx'

/** `isBelow`: not beside the tabs but under them, where they take the whole width. */
export function Facts({ task, isBelow }: { readonly task: TaskDetailJson; readonly isBelow: boolean }) {
  const prompt = useLastPrompt(task.session_id)
  const ended = timeOrNull(task.completed_at)
  const started = timeOrNull(task.started_at)
  return (
    <Card label="Facts" className="h-fit px-4 pt-1 pb-4">
      <dl className={isBelow ? 'columns-4 max-lg:columns-2' : 'max-lg:columns-2'}>
        <Fact name="Agent">
          {task.agent === task.agent_kind ? task.agent : `${task.agent_kind} · ${task.agent}`}
          {task.model !== null && <span className="text-mut"> · {task.model}</span>}
        </Fact>
        <Fact name="Directory">
          <span title={task.dir}>{task.dir}</span>
        </Fact>
        <Fact name="Began">
          <At at={timeOf(task.created_at)} /> <span className="text-mut">by {task.created_by}</span>
        </Fact>
        {started !== null && (
          <Fact name={ended === null ? 'Running for' : 'Took'}>
            <Lasting at={started} to={ended} />
          </Fact>
        )}
        <Fact name="Cost">{money(task.cost_usd) || <span className="text-mut">none reported</span>}</Fact>
        <Fact name="Tokens">
          {task.tokens_in + task.tokens_out === 0 ? (
            <span className="text-mut">none reported</span>
          ) : (
            `${amount(task.tokens_in)} in, ${amount(task.tokens_out)} out`
          )}
        </Fact>
        {task.checks.length > 0 && (
          <Fact name="Contract">
            <ContractFact checks={task.checks} />
          </Fact>
        )}
        {prompt !== undefined && (
          <Fact name="Last prompt">
            <LastPrompt trigger={prompt} />
          </Fact>
        )}
        {task.retries > 0 && <Fact name="Retries">{task.retries} since its last progress</Fact>}
        {task.parent_session !== null && (
          <Fact name="Started by">
            <Link href={`/tasks/${task.parent_session}`} className="text-accent hover:underline">
              {task.parent_session}
            </Link>
          </Fact>
        )}
        {task.tags.length > 0 && <Fact name="Tags">{task.tags.join(', ')}</Fact>}
        {task.agent_session_id !== null && (
          <Fact name="The agent's session">
            <Copy text={task.agent_session_id} label={shortened(task.agent_session_id)} />
          </Fact>
        )}
        <Fact name="Id">
          <Copy text={task.session_id} />
        </Fact>
      </dl>
    </Card>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="break-inside-avoid pt-3">
    <dt className="text-mut text-xs">{name}</dt>
    <dd>{children}</dd>
  </div>
)

const shortened = (id: string) => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id)
