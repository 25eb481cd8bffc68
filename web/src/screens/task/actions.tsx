// Owns what a person can do with a task; what destroys something asks first.
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import {
  archiveTask,
  finishTask,
  handBackTask,
  killTask,
  resumeTask,
  retryTask,
  takeOverTask,
  unparkTask,
} from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Problem } from '../../parts/problem.tsx'
import { hasEnded } from '../../words/state.ts'
import { canGoOnElsewhere } from './other-mode.ts'

export function Actions({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  return (
    <div className="flex flex-wrap items-center gap-2">
      {hasEnded(task) ? <OfEnded task={task} /> : <OfLiving task={task} />}
      {!hasEnded(task) && (
        <Confirm
          button="Kill"
          title={`Kill “${task.title}”?`}
          what="Its agent and every process it started are ended. Files, output and story stay; the task can be resumed later."
          order={() => killTask(id)}
        />
      )}
    </div>
  )
}

function OfLiving({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  const isTerminal = task.mode === 'interactive'
  return (
    <>
      {isTerminal && <Copy text={`holdfast attach ${task.name ?? id}`} label="Attach" />}
      {task.next.kind === 'awaits_person' && <Now words="Resume" order={() => resumeTask(id)} />}
      {isTerminal && canGoOnElsewhere(task) && <Now words="Hand back" order={() => handBackTask(id)} />}
      {(task.phase === 'parked' || task.phase === 'backing_off') && (
        <Now words="Go on now" order={() => unparkTask(id)} />
      )}
      {task.phase === 'idle' && <Now words="Finish" order={() => finishTask(id)} />}
      {!isTerminal && canGoOnElsewhere(task) && (
        <Confirm
          kind="plain"
          button="Take over"
          title={`Take over “${task.title}”?`}
          what="Its run is ended, and the same conversation goes on in a terminal where you can type."
          order={() => takeOverTask(id)}
        />
      )}
    </>
  )
}

function OfEnded({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  return (
    <>
      <Now words="Resume" order={() => resumeTask(id)} />
      <Confirm
        kind="plain"
        button="Retry"
        title={`Start “${task.title}” again?`}
        what="A new conversation begins with what was done so far as context. The old one is left behind."
        order={() => retryTask(id)}
      />
      {task.archived_at === null && <Now words="Archive" order={() => archiveTask(id)} />}
    </>
  )
}

function Now({ words, order }: { readonly words: string; readonly order: () => Promise<unknown> }) {
  const { busy, refused, give } = useOrder(order)
  return (
    <>
      <Button busy={busy} onClick={() => give()}>
        {words}
      </Button>
      {refused !== undefined && <Problem refused={refused} />}
    </>
  )
}
