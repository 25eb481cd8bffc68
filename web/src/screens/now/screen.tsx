// Owns the first screen: what needs a person, then work, waiting and what was done today.
import { Link } from 'wouter'
import type { RuntimeJson } from '../../../../src/protocol/json/runtime-json.ts'
import type { ListedTaskJson } from '../../../../src/protocol/json/task-json.ts'
import { useHealth } from '../../data/installation/health.ts'
import { useRuntimes } from '../../data/installation/runtimes.ts'
import { useBlockedThreads } from '../../data/installation/threads.ts'
import { givenAnswers } from '../../data/orders/answers.ts'
import { useQuestions } from '../../data/orders/questions.ts'
import { useServerNow } from '../../data/screen/now.ts'
import { useSignal } from '../../data/signal.ts'
import { type TasksSoFar, useActiveTasks, useEndedSince } from '../../data/tasks/tasks.ts'
import { Rows } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Section } from '../../parts/section.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { type Keys, useKeys } from '../../shell/shortcuts.tsx'
import { counted } from '../../words/count.ts'
import { isSilent, type Place, placeOf } from '../../words/state.ts'
import { dayStart } from '../../words/time.ts'
import { STATES } from '../tasks/states.ts'
import { NeedCard } from './need-card.tsx'
import { isAnswered, needsOf } from './needs.ts'
import { ThreadNeed } from './thread-need.tsx'
import { TmuxNeed } from './tmux-need.tsx'
import { inWaitingOrder } from './waiting-order.ts'
import { EndedRow, RuntimeRow, WaitingRow, WorkRow } from './work-row.tsx'

/** Rows of one part; the table of all tasks has the rest. */
const MOST_ROWS = 25

/** From card to card of what needs a person: the focus goes to the card's first link or button. */
const KEYS: Keys = {
  j: { what: 'The next that needs you', run: () => focusCard(1) },
  k: { what: 'The one before', run: () => focusCard(-1) },
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => String(index + 1)).map((digit) => [
      digit,
      {
        what: `Answer ${digit}, on the card with the focus`,
        run: () => chooseOption(digit),
        // It has the answers themselves.
        onlyAsKey: true,
      },
    ]),
  ),
}

/** A digit means the option that bears it, and only on the card that somebody has gone to: none is answered unseen. */
function chooseOption(digit: string): void {
  const card = document.activeElement?.closest('main article')
  const options = [...(card?.querySelectorAll('button') ?? [])].filter(
    ({ firstElementChild }) => firstElementChild?.textContent === digit,
  )
  // Two questions of one task have the same digits.
  if (options.length === 1) options[0]?.click()
}

function focusCard(step: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>('main article')]
  const at = cards.findIndex((card) => card.contains(document.activeElement))
  const next = cards[at === -1 ? (step === 1 ? 0 : cards.length - 1) : at + step]
  next?.querySelector<HTMLElement>('button, a')?.focus()
}

export function NowScreen() {
  useKeys(KEYS)
  const active = useActiveTasks()
  return (
    <Screen title="Now" wide>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 min-[1500px]:grid-cols-[minmax(0,5fr)_minmax(0,3fr)] min-[1500px]:items-start">
        <div className="flex min-w-0 flex-col gap-6">
          <NeedsYou />
          <Stale of={active}>{(known) => <AtWork known={known} />}</Stale>
        </div>
        <div className="grid grid-cols-2 gap-5 *:min-w-0 max-lg:grid-cols-1 min-[1500px]:grid-cols-1">
          <Stale of={active}>{(known) => <Waiting known={known} />}</Stale>
          <DoneToday />
        </div>
      </div>
    </Screen>
  )
}

function NeedsYou() {
  const active = useActiveTasks()
  const questions = useQuestions()
  const runtimes = useRuntimes()
  const threads = useBlockedThreads().value ?? []
  const given = useSignal(givenAnswers)
  return (
    <Stale of={questions} loading={null}>
      {({ questions: open, tmux }) => {
        const known = active.value ?? NONE_KNOWN
        const needs = needsOf(known.tasks, open, given.values(), runtimes.value ?? [])
        const others = threads.length + (tmux === null ? 0 : 1)
        const count = needs.filter((need) => !isAnswered(need)).length + others
        return (
          <Section title="Needs you" note={count === 0 ? undefined : counted(count, known.whole)}>
            {needs.length + others === 0 ? (
              active.value !== undefined && <NothingNeedsYou {...active.value} />
            ) : (
              <div className="grid gap-3 *:min-w-0">
                {tmux !== null && <TmuxNeed outage={tmux} />}
                {needs.map((need) => (
                  <NeedCard key={need.id} need={need} />
                ))}
                {threads.map((thread) => (
                  <ThreadNeed key={thread.thread_id} thread={thread} />
                ))}
              </div>
            )}
          </Section>
        )
      }}
    </Stale>
  )
}

const NONE_KNOWN: TasksSoFar = { tasks: [], whole: false }

const NothingNeedsYou = ({ tasks, whole }: TasksSoFar) => (
  <p className="text-mut">
    {whole ? 'Nothing needs you.' : `Nothing among the ${tasks.length} newest tasks needs you.`} Questions,
    failures to be decided, stopped tasks and blocked threads appear here, and stay until they are dealt with.
  </p>
)

type Known = { readonly known: TasksSoFar }
const tasksAt = (place: Place, { tasks }: TasksSoFar) => tasks.filter((task) => placeOf(task) === place)

function AtWork({ known }: Known) {
  const slots = useHealth().value?.max_concurrent
  const work = tasksAt('at_work', known)
  const standing = (useRuntimes().value ?? []).filter(isAtWork)
  const runtimes = standing.length === 1 ? ', and a runtime' : `, and ${standing.length} runtimes`
  return (
    <Section
      title="At work"
      note={`${counted(work.length, known.whole)}${slots === undefined ? '' : `, up to ${slots} at once`}${standing.length === 0 ? '' : runtimes}`}
    >
      {work.length + standing.length === 0 ? (
        <Empty command='holdfast run "fix the failing login test"'>
          No agent works. A sentence is enough to start one:
        </Empty>
      ) : (
        <Listed
          tasks={work}
          whole={known.whole}
          label="At work"
          row={(task) => <WorkRow key={task.session_id} task={task} />}
          more={standing.map((runtime) => <RuntimeRow key={runtime.runtime_id} runtime={runtime} />)}
        />
      )}
    </Section>
  )
}

const isAtWork = ({ phase, elsewhere }: RuntimeJson) => phase === 'working' && !isSilent(elsewhere)

function Waiting({ known }: Known) {
  const waiting = inWaitingOrder(tasksAt('waiting', known))
  return (
    <Section title="Waiting" note={counted(waiting.length, known.whole)}>
      {waiting.length === 0 ? (
        <p className="text-mut">Nothing waits.</p>
      ) : (
        <Listed
          tasks={waiting}
          whole={known.whole}
          label="Waiting"
          row={(task) => <WaitingRow key={task.session_id} task={task} />}
        />
      )}
    </Section>
  )
}

/** The day is the reader's own; which day it is goes by the daemon's clock. */
function DoneToday() {
  const now = useServerNow()
  const ended = useEndedSince(now === undefined ? undefined : dayStart(now), MOST_ROWS)
  return (
    <Stale of={ended}>
      {({ tasks, total }) => (
        <Section title="Ended today" note={counted(total, true)}>
          {tasks.length === 0 ? (
            <p className="text-mut">Nothing has ended today.</p>
          ) : (
            <Listed
              tasks={tasks}
              total={total}
              label="Ended today"
              row={(task) => <EndedRow key={task.session_id} task={task} />}
            />
          )}
        </Section>
      )}
    </Stale>
  )
}

/** `label`: also the name of the filter by which the table of all tasks has the rest, where there is one. */
const Listed = ({
  tasks,
  total = tasks.length,
  whole = true,
  label,
  row,
  more,
}: {
  readonly tasks: readonly ListedTaskJson[]
  readonly total?: number
  readonly whole?: boolean
  readonly label: string
  readonly row: (task: ListedTaskJson) => React.ReactNode
  /** Rows that stand for no task of the list. */
  readonly more?: React.ReactNode
}) => (
  <>
    <Rows label={label}>
      {tasks.slice(0, MOST_ROWS).map(row)}
      {more}
    </Rows>
    {total > MOST_ROWS && (
      <p className="mt-2 text-sm">
        <Link href={restOf(label)} className="text-accent hover:underline">
          {counted(total - MOST_ROWS, true)}
          {whole ? '' : ' and'} more
        </Link>
      </p>
    )}
  </>
)

function restOf(label: string): string {
  const status = STATES.find(({ name }) => name === label)?.status
  return status === undefined ? '/tasks' : `/tasks?${new URLSearchParams({ status })}`
}
