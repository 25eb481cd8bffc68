// Owns what can be seen of a task: its state, what it waits for, what comes next, and how it came to this.

import { finishOrderIn } from '../../../delivery/inputs/finish-order.ts'
import { hearsBy } from '../../../delivery/inputs/hearing.ts'
import type { AnswerWay } from '../../../domain/conversation/answer-way.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { BridgeNote } from '../../../domain/run/bridge-note.ts'
import type { Heartbeat } from '../../../domain/run/heartbeat.ts'
import { isOver } from '../../../domain/run/machine.ts'
import { placeOfRuntime } from '../../../domain/runtime/names.ts'
import { unanswered } from '../../../domain/task/final-state.ts'
import type { Input } from '../../../domain/task/input.ts'
import { isEnded } from '../../../domain/task/machine.ts'
import type { Question } from '../../../domain/task/question.ts'
import type { Run } from '../../../domain/task/run.ts'
import type { Task, TaskSummary } from '../../../domain/task/task.ts'
import type { VerifyContract } from '../../../domain/verify/contract.ts'
import type { HandoffPaths } from '../../../ports/files/handoff.ts'
import { driverOf } from '../../../ports/run/driver-of.ts'
import type { ConversationReads } from '../../../ports/store/conversation.ts'
import type { Gate } from '../../../ports/store/gates.ts'
import type { RunReads } from '../../../ports/store/runs.ts'
import type { OwnNode, Reads } from '../../../ports/store/store.ts'
import type { Transition } from '../../../ports/store/tasks.ts'
import { inBatches } from '../../kernel/in-batches.ts'
import { answerWay, takesText } from '../../orders/answer-way.ts'
import type { Core } from '../../task/core.ts'
import type { DeskNeeds } from '../needs.ts'
import { type Ahead, aheadOf } from './ahead.ts'
import { waitsForTmux } from './outage.ts'
import { gatesBefore, type Waits, waitsOf } from './waits.ts'

export type Brief = {
  readonly task: TaskSummary
  readonly places: HandoffPaths & { readonly tmuxSession: string }
  readonly waits: Waits
  /** Epoch ms when it ended, or when its agent last showed a sign of life; null while no agent of it is at work. */
  readonly activeAt: number | null
  /** Epoch ms of this look. */
  readonly at: number
}

/** A question, how an answer reaches its agent, and whether it may be one in words. */
export type Asked = { readonly question: Question; readonly way: AnswerWay; readonly takesText: boolean }

export type Detail = Brief &
  Ahead & {
    /** The task can be watched in tmux. */
    readonly hasPane: boolean
    /** Whether the tools of Holdfast reached the agent of its last run; null where it was given none. */
    readonly bridge: BridgeNote | null
    /** What the agent of its last run said about itself last; null when it said nothing. */
    readonly heartbeat: Heartbeat | null
    /** Questions that are not settled, oldest first. */
    readonly questions: readonly Asked[]
    readonly takesPrompts: boolean
    /** The checks of its contract; undefined without one. */
    readonly contract: VerifyContract | undefined
  }

export type Story = Pick<Brief, 'waits' | 'at'> &
  Pick<Ahead, 'unsaid' | 'next' | 'elsewhere'> & {
    readonly task: Task
    readonly bridge: BridgeNote | null
    /** The oldest question that nobody has answered. */
    readonly question: Asked | null
    readonly transitions: readonly Transition[]
    readonly runs: readonly Run[]
  }

export const lookDesk = (core: DeskNeeds) => ({
  /** Made without reading the store, so it does not say which gate the task waits behind. */
  briefly: (task: TaskSummary): Brief => briefOf(task, [], core),

  async closely(task: Task): Promise<Detail> {
    const open = await core.store.openQuestions(task.id)
    const ahead = await aheadOf(task, open, core)
    return {
      ...briefOf(task, await core.store.gates(), core),
      ...ahead,
      hasPane: await hasPane(task, core),
      bridge: await bridgeOf(task, core),
      heartbeat: await heartbeatOf(task, core),
      questions: await Promise.all(open.map((question) => askedOf(question, task, core))),
      takesPrompts: takesPrompts(task, ahead.inputs, core),
      contract: task.snapshot.verify,
    }
  },

  /** All that was seen and decided for the task so far, and what comes next. */
  async story(task: Task): Promise<Story> {
    const { store, clock } = core
    const open = await store.openQuestions(task.id)
    const { unsaid, next, elsewhere } = await aheadOf(task, open, core)
    return {
      task,
      bridge: await bridgeOf(task, core),
      waits: waitsOf(task, gatesBefore(task, await store.gates(), core), waitsForTmux(task, core)),
      at: clock.now(),
      unsaid,
      next,
      elsewhere,
      question: await firstAsked(task, open, core),
      transitions: await store.transitions(task.id),
      runs: await store.runsOf(task.id),
    }
  },

  /** The last runs of the task, oldest first: what its agent does now, without the story. */
  lastRuns: (id: TaskId, most: number): Promise<Run[]> => core.store.lastRuns(id, most),

  /** The questions of all tasks, or of one, that nobody has answered, oldest first. */
  async unansweredQuestions(only?: TaskId): Promise<(Asked & { readonly task: Task })[]> {
    const { store } = core
    const open = unanswered(await (only === undefined ? store.allOpenQuestions() : store.openQuestions(only)))
    const asked = await inBatches(open, async (question) => {
      const task = await core.store.task(question.taskId)
      // The task was removed meanwhile: nobody has to answer any more.
      return task === undefined ? [] : [{ task, ...(await askedOf(question, task, core)) }]
    })
    return asked.flat()
  },
})

/** An agent that got something done, and is over, has worked without the tools of which nobody heard. */
async function bridgeOf(
  { runId }: Task,
  { runFiles, store }: Pick<Core, 'runFiles'> & Reads<RunReads>,
): Promise<BridgeNote | null> {
  const note = runId === null ? null : runFiles.bridge(runId)
  if (runId === null || note !== 'unknown') return note
  const run = await store.run(runId)
  return run !== undefined && isOver(run.state) && run.tools + run.progress > 0 ? 'absent' : note
}

async function heartbeatOf({ runId }: Task, { store }: Reads<RunReads>): Promise<Heartbeat | null> {
  const run = runId === null ? undefined : await store.run(runId)
  const { heartbeatStatus: status = null, heartbeatAt: at = null } = run ?? {}
  return status === null || at === null ? null : { status, at }
}

/** Its agent hears more than its first prompt, and neither it nor its conversation is at an end. */
const takesPrompts = (task: Task, inputs: readonly Input[], core: Pick<Core, 'driver'>): boolean =>
  !isEnded(task.status) &&
  hearsBy(task, driverOf(task, core)) !== 'nothing' &&
  finishOrderIn(inputs) === undefined

/** `gates`: all closed gates that the task may wait behind. */
export function briefOf(
  task: TaskSummary,
  gates: readonly Gate[],
  core: Pick<Core, 'clock' | 'handoff' | 'terminal' | 'watched'> & Reads<OwnNode>,
): Brief {
  const at = core.clock.now()
  return {
    task,
    places: {
      ...core.handoff.paths(task),
      tmuxSession: core.terminal.sessionName(task.id, placeOfRuntime(task.runtime)),
    },
    waits: waitsOf(task, gatesBefore(task, gates, core), waitsForTmux(task, core)),
    activeAt: activeAt(task, at, core),
    at,
  }
}

/** Known by what the watch remembers: nothing is read for it. */
export function activeAt(
  { id, endedAt }: Pick<TaskSummary, 'id' | 'endedAt'>,
  now: number,
  { watched }: Pick<Core, 'watched'>,
): number | null {
  const life = watched.get(id)?.life ?? null
  return endedAt ?? (life === null ? null : Math.round(now - life.silentMs))
}

/** The oldest question that nobody has answered. */
export async function firstAsked(
  task: Task,
  open: readonly Question[],
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<Asked | null> {
  const [question] = unanswered(open)
  return question === undefined ? null : await askedOf(question, task, core)
}

const askedOf = async (
  question: Question,
  task: Task,
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<Asked> => {
  const way = await answerWay(task, question, core)
  return { question, way, takesText: takesText(task, question, way, core) }
}

/** Longer than a working tmux takes to show a pane. A task can be shown without it. */
const TMUX_PATIENCE_MS = 300

async function hasPane(
  task: TaskSummary,
  { terminal, clock }: Pick<Core, 'clock' | 'terminal'>,
): Promise<boolean> {
  if (task.runId === null || terminal.health() !== 'up') return false
  const patience = clock.sleep(TMUX_PATIENCE_MS).then(() => undefined)
  const look = terminal.look(task.id, task.runId).catch(() => undefined)
  const view = await Promise.race([look, patience])
  return view !== undefined && !view.dead
}
