// Owns following the journal for traces. Ends of tasks and runs come by a durable reader, so that none is missed while no daemon
// runs; tool calls come with the commits that tell of them. Spans are handed over and forgotten: what the sink has not sent when
// the daemon is killed is lost (docs/adr/0024).

import type { JournalEvent } from '../domain/journal/events.ts'
import { MAY_END_RUN, mayEndRun } from '../domain/journal/may-end-run.ts'
import type { RunId, TaskId } from '../domain/names/ids.ts'
import { isOver } from '../domain/run/machine.ts'
import type { TaskStatus } from '../domain/task/machine.ts'
import type { Run, RunStep } from '../domain/task/run.ts'
import type { Task } from '../domain/task/task.ts'
import type { Change, Committed } from '../ports/store/commits.ts'
import type { RunReads } from '../ports/store/runs.ts'
import type { TaskReads, Transition } from '../ports/store/tasks.ts'
import type { Subscription } from '../supervisor/desk.ts'
import { type SpanSink, stepSpanId } from './span.ts'
import { type EndedStep, type Family, runSpan, taskSpan, toolSpan } from './spans-of.ts'

export const TRACES = 'traces'

/** A task that was started by one that was started by one …: the trace begins there at the latest. */
const MOST_ANCESTORS = 20
/** Of so many runs it is known what was sent of them. */
const MOST_RUNS = 5000

export type TracingNeeds = {
  readonly store: Pick<TaskReads, 'task' | 'transitions'> & Pick<RunReads, 'runsOf'>
  readonly sink: Pick<SpanSink, 'add'>
  /** Epoch ms at which this daemon began. */
  readonly startedAt: number
}

export class Tracing {
  readonly name = TRACES
  readonly #needs: TracingNeeds
  readonly #sentRuns = new Set<RunId>()
  /** The spans of tool calls of a run that were sent, of those that a commit may tell of again. */
  readonly #sentSteps = new Map<RunId, ReadonlySet<string>>()
  #working: Promise<void> = Promise.resolve()

  constructor(needs: TracingNeeds) {
    this.#needs = needs
  }

  subscription(): Subscription {
    return { name: TRACES, isOfNode: true, kinds: MAY_END_RUN, handle: (event) => this.#handle(event) }
  }

  /** A listener of the journal: sends tool calls that ended. */
  hear({ did }: Pick<Committed, 'did'>): void {
    if (did === undefined) return
    const { taskId, runId, steps } = did
    const ended = steps.filter(isEndedStep)
    const sent = this.#sentSteps.get(runId)
    // By their ids and not by their times: a clock may be set back. What ended before this daemon was sent by another.
    const unsent = ended.filter((step) =>
      sent === undefined ? step.endedAt > this.#needs.startedAt : !sent.has(stepSpanId(runId, step)),
    )
    this.#sentSteps.delete(runId)
    this.#sentSteps.set(runId, new Set(ended.map((step) => stepSpanId(runId, step))))
    forgetOldest(this.#sentSteps)
    if (unsent.length === 0) return
    this.#working = this.#working.then(() => this.#sendSteps(taskId, runId, unsent)).catch(() => {})
  }

  /** Resolves when the tool calls that were heard of before the call are handed over. */
  whenIdle = (): Promise<void> => this.#working

  async #sendSteps(taskId: TaskId, runId: RunId, steps: readonly EndedStep[]): Promise<void> {
    const task = await this.#needs.store.task(taskId)
    if (task === undefined) return
    const family = await this.#familyOf(task)
    for (const step of steps) this.#needs.sink.add(toolSpan(step, runId, task, family))
  }

  /** An empty change: the place in the journal moves on before the next event, so that nothing is sent twice. */
  async #handle(event: JournalEvent): Promise<Change | undefined> {
    const task = event.taskId === null ? undefined : await this.#needs.store.task(event.taskId)
    if (task === undefined) return undefined
    const transitions = await this.#needs.store.transitions(task.id)
    const family = await this.#familyOf(task)
    const run = await this.#endedRun(task.id, event, transitions)
    if (run !== undefined)
      this.#needs.sink.add(runSpan(run, task, family, lifeAt(transitions, run.createdAt).number))
    const status = endIn(event)
    if (status === undefined && run === undefined) return undefined
    if (status !== undefined)
      this.#needs.sink.add(taskSpan(task, family, { ...lifeAt(transitions, event.at), status }))
    return {}
  }

  /** The run that was over with this event, when it was not sent before. */
  async #endedRun(
    taskId: TaskId,
    { at }: JournalEvent,
    transitions: readonly Transition[],
  ): Promise<Run | undefined> {
    const runs = await this.#needs.store.runsOf(taskId)
    const run = runs.findLast(({ createdAt }) => createdAt <= at)
    if (run === undefined || run.endedAt === null || !isOver(run.state) || run.state === 'void')
      return undefined
    if (this.#sentRuns.has(run.id)) return undefined
    this.#sentRuns.add(run.id)
    forgetOldest(this.#sentRuns)
    const { endedAt } = run
    // A daemon before this one has sent it with the first event after its end.
    const before = transitions.some((one) => mayEndRun(one.event) && one.at >= endedAt && one.at < at)
    return run.createdAt < this.#needs.startedAt && before ? undefined : run
  }

  async #familyOf(task: Task): Promise<Family> {
    let parent: Family['parent'] = null
    let root: Pick<Task, 'id' | 'createdAt' | 'parentId'> = task
    for (let steps = 0; root.parentId !== null && steps < MOST_ANCESTORS; steps++) {
      const next = await this.#needs.store.task(root.parentId)
      if (next === undefined) break
      if (parent === null) {
        const { number } = lifeAt(await this.#needs.store.transitions(next.id), task.createdAt)
        parent = { task: next, life: number }
      }
      root = next
    }
    return { root, parent }
  }
}

/** Which life of the task a moment belongs to, and since when it lives. */
function lifeAt(
  transitions: readonly Transition[],
  at: number,
): { number: number; from: number; to: number } {
  const reopened = transitions.filter((one) => one.event === 'reopened' && one.at <= at)
  return { number: reopened.length, from: (reopened.at(-1) ?? transitions[0])?.at ?? at, to: at }
}

/** The status with which the task ended; undefined when it goes on. It may have been brought back since. */
function endIn(event: JournalEvent): TaskStatus | undefined {
  const ends =
    event.kind === 'task_completed' || event.kind === 'task_failed' || event.kind === 'task_cancelled'
  return ends ? event.data.status : undefined
}

const isEndedStep = (step: RunStep): step is EndedStep =>
  step.ok !== null && step.at !== undefined && step.endedAt !== undefined

function forgetOldest(all: Set<RunId> | Map<RunId, unknown>): void {
  const [oldest] = all.keys()
  if (all.size > MOST_RUNS && oldest !== undefined) all.delete(oldest)
}
