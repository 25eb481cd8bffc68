// Owns the screen of one task: what it is about, what is true now, its timeline, and everything about it in tabs.
import { Link, useParams } from 'wouter'
import type { TaskDetailJson } from '../../../../src/protocol/task-json.ts'
import { useTask, useWhy } from '../../data/task.ts'
import { Chip } from '../../parts/chip.tsx'
import { Question } from '../../parts/question.tsx'
import { Skeleton, Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { hasEnded, stateWord } from '../../words/state.ts'
import { Actions } from './actions.tsx'
import { Facts } from './facts.tsx'
import { Say } from './say.tsx'
import { TaskTabs } from './task-tabs.tsx'
import { TimelineOf } from './timeline/timeline.tsx'

export function TaskScreen() {
  const { id = '', tab } = useParams<{ id: string; tab?: string }>()
  const task = useTask(id)
  const detail = task.value
  return (
    <Screen
      title={detail?.title ?? id}
      above={<Above task={detail} />}
      mark={detail === undefined ? undefined : <Chip {...stateWord(detail)} />}
      actions={detail === undefined ? <span /> : <Actions task={detail} />}
    >
      <Stale of={task} loading={<Skeleton rows={6} />}>
        {(known) => <Known key={known.session_id} task={known} tab={tab ?? 'output'} />}
      </Stale>
    </Screen>
  )
}

const Above = ({ task }: { readonly task: TaskDetailJson | undefined }) => (
  <>
    <Link href="/tasks" className="hover:underline">
      All tasks
    </Link>
    {task !== undefined && <> / {task.name ?? task.project.split('/').at(-1)}</>}
  </>
)

function Known({ task, tab }: { readonly task: TaskDetailJson; readonly tab: string }) {
  const why = useWhy(task.session_id)
  return (
    <>
      <Say task={task} why={why.value} />
      {!hasEnded(task) &&
        task.questions.map((question) => (
          <section
            key={question.number}
            aria-label="It asks"
            className="rounded-lg border border-line border-l-3 border-l-amber bg-panel px-4 py-3.5 shadow-lift"
          >
            <Question
              question={{ ...question, session_id: task.session_id, agent: task.agent }}
              title={task.title}
            />
          </section>
        ))}
      <Stale of={why} loading={<Skeleton rows={2} />}>
        {(story) => <TimelineOf why={story} />}
      </Stale>
      <div className="grid grid-cols-[minmax(0,1fr)_268px] gap-4.5 max-lg:grid-cols-1">
        <TaskTabs task={task} why={why.value} tab={tab} />
        <Facts task={task} />
      </div>
    </>
  )
}
