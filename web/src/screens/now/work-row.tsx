// Owns the rows of tasks that need nobody: at work, waiting, ended.
import type { TaskJson } from '../../../../src/protocol/json/task-json.ts'
import { useTail } from '../../data/task/output.ts'
import { useTask } from '../../data/task/task.ts'
import { At, Lasting, Until } from '../../parts/age.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Row } from '../../parts/row.tsx'
import { lastLine } from '../../words/output.ts'
import { stateWord } from '../../words/state.ts'
import { money, span, timeOf, timeOrNull } from '../../words/time.ts'
import { waitsWord } from '../../words/waits.ts'

type OfTask = { readonly task: TaskJson }
const hrefOf = ({ session_id }: TaskJson) => `/tasks/${session_id}`

/** What it does just now: the last line of its output. */
export function WorkRow({ task }: OfTask) {
  const tail = useTail(task.session_id)
  const line = lastLine(tail.value?.text ?? '')
  return (
    <Row
      mark={<Chip {...stateWord(task)} wide />}
      title={task.title}
      href={hrefOf(task)}
      below={line === '' ? task.reason : <code>{line}</code>}
      right={
        <>
          <Spent task={task} />
          <span className="min-w-16">
            <Lasting at={timeOf(task.started_at ?? task.created_at)} />
          </span>
        </>
      }
    />
  )
}

/** What it waits for, until when. */
export function WaitingRow({ task }: OfTask) {
  const detail = useTask(task.session_id).value
  const until = timeOrNull(task.waits_until ?? task.phase_until ?? detail?.next.at ?? null)
  return (
    <Row
      mark={<Chip {...stateWord(task)} wide />}
      title={task.title}
      href={hrefOf(task)}
      below={
        <>
          {waitWords(task, detail?.queue_position ?? null, detail?.next.what)}
          {until !== null && (
            <>
              , goes on <Until at={until} />
            </>
          )}
        </>
      }
    />
  )
}

function waitWords(task: TaskJson, position: number | null, next: string | undefined): string {
  const waits = waitsWord(task.waits_for)
  if (waits !== undefined)
    return task.phase === 'queued' && position !== null ? `${waits}, ${place(position)}` : waits
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
      below={words.filter(Boolean).join(', ')}
      right={ended !== null && <At at={ended} />}
    />
  )
}

const Spent = ({ task }: OfTask) => <span className="max-md:hidden">{money(task.cost_usd)}</span>
