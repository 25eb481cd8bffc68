// Owns the rows of tasks that need nobody: at work, waiting, ended.
import { useRef } from 'react'
import type { RuntimeJson } from '../../../../src/protocol/json/runtime-json.ts'
import type { ListedTaskJson } from '../../../../src/protocol/json/task-json.ts'
import { useServerNow } from '../../data/screen/now.ts'
import { useSeen } from '../../data/screen/seen.ts'
import { useCalls, useDoesNow } from '../../data/task/does-now.ts'
import { useTask } from '../../data/task/task.ts'
import { At, Lasting } from '../../parts/age.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Row } from '../../parts/row.tsx'
import { Spark } from '../../parts/spark.tsx'
import { activityOf } from '../../words/activity.ts'
import { stateWord } from '../../words/state.ts'
import { clockTime, money, span, timeOf, timeOrNull } from '../../words/time.ts'
import { waitsWord } from '../../words/waits.ts'
import { untilOf } from './waiting-order.ts'

type OfTask = { readonly task: ListedTaskJson }
const hrefOf = ({ session_id }: ListedTaskJson) => `/tasks/${session_id}`

/** What it does just now, how busy it was of late, for how long it goes on, and what it has cost. */
export function WorkRow({ task }: OfTask) {
  const row = useRef<HTMLLIElement>(null)
  const seen = useSeen(row)
  return (
    <Row
      ref={row}
      mark={<Chip {...stateWord(task)} wide />}
      title={task.title}
      href={hrefOf(task)}
      task={task.session_id}
      below={<DoesNow id={task.session_id} seen={seen} {...task} />}
      right={
        <>
          <span className="max-md:hidden">
            <Activity id={task.session_id} seen={seen} />
          </span>
          <span className="md:min-w-18">
            <Lasting at={timeOf(task.started_at ?? task.created_at)} />
          </span>
          <span className="min-w-14 max-md:hidden">{money(task.cost_usd)}</span>
        </>
      }
    />
  )
}

/** A standing agent that works on a prompt: no list of tasks has it. */
export function RuntimeRow({ runtime }: { readonly runtime: RuntimeJson }) {
  const row = useRef<HTMLLIElement>(null)
  const seen = useSeen(row)
  const { task_id: id, phase, reason } = runtime
  return (
    <Row
      ref={row}
      mark={<Chip word="works" tone="teal" wide />}
      title={runtime.agent_id}
      href={`/tasks/${id}`}
      task={id}
      below={<DoesNow id={id} seen={seen} mode="interactive" phase={phase} reason={reason} />}
      right={
        <>
          <span className="max-md:hidden">
            <Activity id={id} seen={seen} />
          </span>
          <span className="md:min-w-18">
            <Lasting at={timeOf(runtime.state_since)} />
          </span>
          <span className="min-w-14 max-md:hidden" />
        </>
      }
    />
  )
}

type OfSeen = { readonly id: string; readonly seen: boolean }

/** Only of an agent that works, its own words say what is done; else the reason for its state does. */
function DoesNow({
  id,
  seen,
  mode,
  phase,
  reason,
}: OfSeen & Pick<ListedTaskJson, 'mode' | 'phase' | 'reason'>) {
  const doing = useDoesNow(id, mode, seen)
  if (phase !== 'working') return reason
  // Keeps its line until the answer is there.
  if (doing === undefined) return '\u00a0'
  if (doing === null) return 'It has not said anything yet.'
  return (
    <>
      {doing.verb !== '' && `${doing.verb} `}
      {doing.isCode ? <code>{doing.text}</code> : doing.text}
    </>
  )
}

function Activity({ id, seen }: OfSeen) {
  const now = useServerNow()
  const runs = useCalls(id, seen)
  const counts = runs === undefined || now === undefined ? null : activityOf(runs, now)
  return counts === null ? null : <Spark counts={counts} label="Tool calls in the last 15 minutes" />
}

/** What it waits for, until when. */
export function WaitingRow({ task }: OfTask) {
  const detail = useTask(task.session_id).value
  const until = timeOrNull(untilOf(task) ?? detail?.next.at ?? null)
  return (
    <Row
      mark={<Chip {...stateWord(task)} wide />}
      title={task.title}
      href={hrefOf(task)}
      task={task.session_id}
      below={waitWords(task, detail?.queue_position ?? null, detail?.next.what)}
      right={until !== null && <GoesOn at={until} />}
    />
  )
}

/** When, and in how long: never cut off. */
function GoesOn({ at }: { readonly at: number }) {
  const now = useServerNow() ?? at
  return (
    <time dateTime={new Date(at).toISOString()} className="flex flex-col whitespace-nowrap">
      <span className="text-ink">{clockTime(at, now)}</span>
      <span>{at <= now ? 'any moment' : `in ${span(at - now)}`}</span>
    </time>
  )
}

function waitWords(task: ListedTaskJson, position: number | null, next: string | undefined): string {
  const waits = waitsWord(task.waits_for)
  // Its place in the queue says nothing then: others go first behind the same gate.
  if (waits !== undefined) return waits
  if (task.phase === 'queued' && position !== null) return place(position)
  return next ?? task.reason ?? ''
}

const place = (position: number) => (position === 1 ? 'next in the queue' : `place ${position} in the queue`)

export function EndedRow({ task }: OfTask) {
  const ended = timeOrNull(task.completed_at)
  const took = span(task.elapsed_seconds * 1000)
  const words = [task.task_status === 'completed' ? null : task.reason, `took ${took}`, money(task.cost_usd)]
  return (
    <Row
      mark={<Chip {...stateWord(task)} wide />}
      title={task.title}
      href={hrefOf(task)}
      task={task.session_id}
      below={words.filter(Boolean).join(', ')}
      right={ended !== null && <At at={ended} />}
    />
  )
}
