// Owns the timing of what the journal tells. A wait that began before this daemon is looked up in the store, so that it counts
// in full. The work is done one after another, beside the commits, and never holds them up.
import type { JournalEvent, JournalEvents } from '../domain/journal/events.ts'
import { mayEndRun } from '../domain/journal/may-end-run.ts'
import type { RunId, TaskId, TriggerId } from '../domain/names/ids.ts'
import { isOver } from '../domain/run/machine.ts'
import type { TaskEvent } from '../domain/task/machine.ts'
import type { Run } from '../domain/task/run.ts'
import type { TriggerEvent } from '../domain/trigger/machine.ts'
import type { RunReads } from '../ports/store/runs.ts'
import type { TaskReads } from '../ports/store/tasks.ts'
import type { TriggerReads } from '../ports/store/triggers.ts'
import type { Labels } from './catalogue.ts'
import { LatestMap } from './latest-map.ts'
import { type Course, courseAfter, type Move, type Observed, observedAt } from './task-times.ts'
import { isLastStage, type Stage, stageAfter, stageObserved, type TriggerMove } from './trigger-times.ts'

/** What is known of so many tasks is kept; of others it is read again. */
const MOST_KEPT = 5000
/** When so many events wait, the store cannot keep up: later ones are not timed. */
const MOST_WAITING = 20_000

export type Past = Pick<TaskReads, 'transitions'> &
  Pick<RunReads, 'run' | 'runsOf'> &
  Pick<TriggerReads, 'triggerSteps'>

export type TimekeeperNeeds = {
  readonly past: Past
  readonly observe: (observed: Observed) => void
  /** A run that is over. */
  readonly countRun: (labels: Labels) => void
  /** A run that began, and was over before it was seen at work. */
  readonly countUnseenStart: () => void
  readonly onDropped: () => void
}

type TaskMoved = JournalEvent & { readonly taskId: TaskId; readonly data: JournalEvents['task_created'] }
type TriggerMoved = JournalEvent & { readonly data: JournalEvents['trigger_queued'] }

export class Timekeeper {
  readonly #needs: TimekeeperNeeds
  readonly #courses = new LatestMap<TaskId, Course>(MOST_KEPT)
  readonly #stages = new LatestMap<TriggerId, Stage>(MOST_KEPT)
  /** When the last run of a task ended, until its next run is at work. */
  readonly #ends = new LatestMap<TaskId, number>(MOST_KEPT)
  #waiting: JournalEvent[] = []
  #working: Promise<void> | undefined

  constructor(needs: TimekeeperNeeds) {
    this.#needs = needs
  }

  hear(events: readonly JournalEvent[]): void {
    for (const event of events) {
      if (!isTaskMove(event) && !isTriggerMove(event)) continue
      if (this.#waiting.length >= MOST_WAITING) this.#needs.onDropped()
      else this.#waiting.push(event)
    }
    if (this.#waiting.length > 0)
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined
      })
  }

  /** Resolves when all events that were heard before the call are timed. */
  async whenIdle(): Promise<void> {
    await this.#working
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      try {
        if (isTaskMove(next)) await this.#taskMoved(next)
        else if (isTriggerMove(next)) await this.#triggerMoved(next)
      } catch {
        this.#needs.onDropped()
      }
  }

  async #taskMoved(event: TaskMoved): Promise<void> {
    const { taskId } = event
    const move = moveOf(event)
    const before = this.#courses.get(taskId) ?? (await this.#earlierCourse(taskId, move))
    for (const one of observedAt(before, move)) this.#needs.observe(one)
    const isCounted =
      before?.runId && mayEndRun(move.event)
        ? await this.#runMayBeOver(taskId, { ...before, runId: before.runId }, move)
        : false
    if (move.event === 'agent_started' && before !== undefined) {
      const run = move.runId === null ? undefined : await this.#needs.past.run(move.runId)
      await this.#resumed(taskId, before, move.runId, run?.startedAt ?? move.at)
    }
    if (event.data.phase === null) this.#courses.delete(taskId)
    else this.#courses.set(taskId, withoutRun(courseAfter(sinceEnd(before, isCounted), move), isCounted))
  }

  /** True when it is over, and its end was counted now. */
  async #runMayBeOver(
    taskId: TaskId,
    before: Course & { readonly runId: RunId },
    { at }: Move,
  ): Promise<boolean> {
    const run = await this.#needs.past.run(before.runId)
    if (run === undefined || !isOver(run.state) || run.endedAt === null) return false
    if (!before.isAtWork && run.startedAt !== null) {
      this.#needs.countUnseenStart()
      await this.#resumed(taskId, before, run.id, run.startedAt)
    }
    this.#needs.countRun({ ending: endingOf(run), failure: run.failure ?? 'none' })
    // The end of a run without an exit record is known only from the moment when it was missed.
    if (run.state === 'exited')
      this.#needs.observe({
        histogram: 'holdfast_detect_seconds',
        seconds: Math.max(0, at - run.endedAt) / 1000,
      })
    if (run.state !== 'void') this.#ends.set(taskId, run.endedAt)
    return true
  }

  /** `at`: when the process of the new run began, however much later it was seen. */
  async #resumed(taskId: TaskId, before: Course, runId: RunId | null, at: number): Promise<void> {
    const endedAt = this.#ends.get(taskId) ?? (await this.#earlierEnd(taskId, runId))
    this.#ends.delete(taskId)
    if (endedAt === undefined) return
    this.#needs.observe({
      histogram: 'holdfast_resume_seconds',
      labels: { waited: before.waited },
      seconds: Math.max(0, at - endedAt) / 1000,
    })
  }

  async #triggerMoved(event: TriggerMoved): Promise<void> {
    const id = event.data.trigger_id
    const move = { event: event.kind.slice('trigger_'.length) as TriggerEvent, at: event.at }
    const before = this.#stages.get(id) ?? (await this.#earlierStage(id, move))
    for (const one of stageObserved(before, move)) this.#needs.observe(one)
    const after = stageAfter(before, move)
    if (after === undefined || isLastStage(move.event)) this.#stages.delete(id)
    else this.#stages.set(id, after)
  }

  /** The moves that the store has from before this one. */
  async #earlierCourse(taskId: TaskId, { event, at }: Move): Promise<Course | undefined> {
    if (event === 'created') return undefined
    const all = await this.#needs.past.transitions(taskId)
    const upTo = all.findLastIndex((one) => one.event === event && one.at === at)
    const earlier = upTo === -1 ? all : all.slice(0, upTo)
    const course = earlier.reduce<Course | undefined>((before, one) => courseAfter(before, one), undefined)
    return course && withoutRun(course, await this.#wasCounted(course.runId, earlier))
  }

  /** The end of a run is counted with the first move after it. */
  async #wasCounted(runId: RunId | null, moves: readonly Move[]): Promise<boolean> {
    const run = runId === null ? undefined : await this.#needs.past.run(runId)
    if (run === undefined || !isOver(run.state) || run.endedAt === null) return false
    const { endedAt } = run
    return moves.some(({ event, at }) => mayEndRun(event) && at >= endedAt)
  }

  async #earlierEnd(taskId: TaskId, runId: RunId | null): Promise<number | undefined> {
    const runs = await this.#needs.past.runsOf(taskId)
    const before = runs.filter(({ id, state }) => id !== runId && state !== 'void')
    return before.findLast(({ endedAt }) => endedAt !== null)?.endedAt ?? undefined
  }

  async #earlierStage(id: TriggerId, { event, at }: TriggerMove): Promise<Stage | undefined> {
    if (event === 'queued') return undefined
    const all = await this.#needs.past.triggerSteps(id)
    const upTo = all.findLastIndex((one) => one.event === event && one.at === at)
    const earlier = upTo === -1 ? all : all.slice(0, upTo)
    return earlier.reduce<Stage | undefined>((stage, one) => stageAfter(stage, one), undefined)
  }
}

/** What it waited for before a run that began and ended unseen is over. */
const sinceEnd = (before: Course | undefined, isCounted: boolean): Course | undefined =>
  before !== undefined && isCounted && !before.isAtWork ? { ...before, waited: 'nothing' } : before

/** Without a run whose end was counted: it is counted once. */
const withoutRun = (course: Course, isCounted: boolean): Course =>
  isCounted ? { ...course, runId: null } : course

const NO_MOVES: ReadonlySet<string> = new Set(['task_archived', 'task_removed'])

const isTaskMove = (event: JournalEvent): event is TaskMoved =>
  event.taskId !== null && event.kind.startsWith('task_') && !NO_MOVES.has(event.kind)

const isTriggerMove = (event: JournalEvent): event is TriggerMoved => event.kind.startsWith('trigger_')

const moveOf = ({ kind, at, data }: TaskMoved): Move => ({
  event: kind.slice('task_'.length) as TaskEvent,
  phase: data.phase,
  runId: data.run_id,
  at,
})

function endingOf({ state, exitCode, exitSignal }: Run): string {
  if (state === 'lost' || state === 'void') return state
  if (exitSignal !== null) return 'signal'
  return exitCode === 0 ? 'clean' : 'error'
}
