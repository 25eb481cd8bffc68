// Owns the screen of one task: what it is about, what is true now, its timeline, and everything about it in tabs.
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { answersToClosed, givenAnswers } from '../../data/orders/answers.ts'
import { useSignal } from '../../data/signal.ts'
import { useStory, useTask } from '../../data/task/task.ts'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { classes } from '../../parts/classes.ts'
import { OnNode } from '../../parts/on-node.tsx'
import { Question } from '../../parts/question/question.tsx'
import { Dimmed, Skeleton, Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { hasEnded, stateWord } from '../../words/state.ts'
import { Actions } from './actions.tsx'
import { Facts } from './facts.tsx'
import { Prompt } from './prompt.tsx'
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
      wide
      above={<Above task={detail} />}
      mark={
        detail === undefined ? undefined : (
          <Dimmed is={task.stale}>
            <Chip {...stateWord(detail)} />
          </Dimmed>
        )
      }
      actions={
        detail === undefined ? (
          <span />
        ) : (
          <Dimmed is={task.stale}>
            <Actions task={detail} />
          </Dimmed>
        )
      }
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
    {task !== undefined && (
      <>
        {' / '}
        <Link href={`/tasks?project=${encodeURIComponent(task.project)}`} className="hover:underline">
          {task.project.split('/').at(-1)}
        </Link>
        {task.name !== null && <> / {task.name}</>}
      </>
    )}
  </>
)

function Known({ task, tab }: { readonly task: TaskDetailJson; readonly tab: string }) {
  const why = useStory(task.session_id, task.phase === 'working')
  // On a phone the agent's screen has the whole room.
  const [isUnfolded, unfold] = useState(false)
  const around = classes('contents', tab === 'screen' && !isUnfolded && 'max-md:hidden')
  const asks = !hasEnded(task) && task.questions.length > 0
  return (
    <>
      {tab === 'screen' && (
        <Button
          kind="quiet"
          aria-expanded={isUnfolded}
          onClick={() => unfold(!isUnfolded)}
          className="-my-3 self-start md:hidden"
        >
          {isUnfolded ? 'Fold what it is about' : 'What it is about, and its timeline'}
        </Button>
      )}
      {task.elsewhere && <OnNode elsewhere={task.elsewhere} />}
      <div className={around}>
        <Prompt task={task} />
        <Say task={task} why={why.value} />
      </div>
      <Questions task={task} />
      <div className={around}>
        <Stale of={why} loading={<Skeleton rows={2} />}>
          {(story) => <TimelineOf why={story} asks={asks} />}
        </Stale>
      </div>
      <div
        className={classes(
          'grid gap-4.5 max-lg:grid-cols-[minmax(0,1fr)]',
          // A terminal is wide: everything else makes room for it.
          tab === 'screen' ? 'grid-cols-[minmax(0,1fr)]' : 'grid-cols-[minmax(0,1fr)_268px]',
        )}
      >
        <TaskTabs task={task} why={why.value} tab={tab} />
        <Facts task={task} isBelow={tab === 'screen'} />
      </div>
    </>
  )
}

/** What it asks, and what became of answers that were given here. */
function Questions({ task }: { readonly task: TaskDetailJson }) {
  const given = useSignal(givenAnswers)
  const { session_id, agent, title, next } = task
  const asked = hasEnded(task) ? [] : task.questions
  const open = asked.map((question) => ({ ...question, session_id, agent }))
  const closed = answersToClosed(given.values(), session_id, open).map(({ question }) => question)
  return [...closed, ...open].map((question, place) => (
    <section
      key={question.number}
      aria-label="It asks"
      className="rounded-lg border border-line border-l-3 border-l-amber bg-panel px-4 py-3.5 shadow-lift"
    >
      <Question
        question={question}
        title={title}
        closed={place < closed.length}
        answered={next.kind === 'takes_answer' ? next.what : undefined}
      />
    </section>
  ))
}
