// Owns what a verdict means for its task: the move, the question, the gate and the escalation, in one change.

import { moveTask } from '../../changes/move-task.ts'
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import type { EventDraft } from '../../domain/journal/events.ts'
import type { PhaseChange } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Gate, GateReads } from '../../ports/store/gates.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskMove } from '../../ports/store/tasks.ts'
import type { Core, Watch } from '../task/core.ts'
import type { After, EndFacts, Verdict } from './decide-end.ts'
import { gateFor } from './gates.ts'

/** `set`: more fields of the task that the caller stores in the same change. */
export async function verdictChange(
  watch: Watch,
  { after, reason, evidence }: Verdict,
  facts: EndFacts | undefined,
  set: TaskMove['set'],
  core: Pick<Core, 'clock' | 'ownTerms' | 'stagger'> & Reads<GateReads>,
): Promise<Change> {
  const { task } = watch
  const at = core.clock.now()
  const gate = after.kind === 'park' ? await gateFor(after, task, reason, at, core) : undefined
  const step = stepFor(after, facts, gate, at, core)
  return {
    task: moveTask({
      ...step.move,
      id: task.id,
      from: task.status,
      reason: `${reason}${step.next ?? ''}`,
      evidence,
      at,
      set: { ...set, ...step.set },
    }),
    ...(gate === undefined ? {} : { gate }),
    ...(after.kind === 'ask' ? { question: ownQuestion(watch, after, at) } : {}),
    ...(isEscalation(after) ? { event: escalation(task, reason, at) } : {}),
    audit: {
      at,
      kind: `task_${step.move.event}`,
      taskId: task.id,
      actor: task.stop?.by ?? task.restart?.by ?? facts?.finishBy ?? 'holdfast',
      detail: reason,
    },
  }
}

/** The events that can follow the end of a run. */
type Following = Extract<
  TaskMove['event'],
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'requeued'
  | 'backed_off'
  | 'parked'
  | 'verifying'
  | 'waiting_began'
  | 'question_asked'
  | 'person_stopped'
  | 'escalated'
>
type Step = {
  readonly move: PhaseChange & { readonly event: Following }
  /** Appended to the verdict's reason. */
  readonly next?: string
  readonly set?: TaskMove['set']
}

function stepFor(
  after: After,
  facts: EndFacts | undefined,
  gate: Gate | undefined,
  at: number,
  core: Pick<Core, 'stagger'>,
): Step {
  const before = facts?.retries ?? 0
  const spent = before + 1
  switch (after.kind) {
    case 'end':
      return { move: { event: after.event }, set: { endedAt: facts?.endedAt ?? at } }
    case 'verify':
      return { move: { event: 'verifying' } }
    case 'await_children':
      return {
        move: { event: 'waiting_began', for: { kind: 'children' }, goOn: after.goOn },
        set: { retries: 0 },
      }
    case 'await_answer':
      return { move: { event: 'question_asked' } }
    case 'ask':
      return { move: { event: after.event } }
    case 'go_on': {
      const { goOn } = after
      const retries = after.costs ? spent : before
      const until = after.staggered ? core.stagger(at) : at
      return until <= at
        ? { move: { event: 'requeued', goOn }, set: { retries, runId: null } }
        : { move: { event: 'backed_off', goOn, until }, set: { retries } }
    }
    case 'back_off':
      return {
        move: { event: 'backed_off', goOn: after.goOn, until: at + after.waitMs },
        next: ` (retry ${spent} of ${facts?.terms.retries})`,
        set: { retries: spent },
      }
    case 'park': {
      const until = gate?.until ?? after.untilMs
      return {
        move: { event: 'parked', goOn: after.goOn, until, gate: gate?.key ?? null },
        set: { retries: before },
      }
    }
  }
}

const ownQuestion = ({ task, run }: Watch, { question, options }: After & { kind: 'ask' }, at: number) => ({
  taskId: task.id,
  runId: run.id,
  text: question,
  options,
  ref: HOLDFAST_ASKS,
  askedAt: at,
})

const isEscalation = (after: After) =>
  after.kind === 'end' ? after.escalate === true : after.kind === 'ask' && after.event !== 'person_stopped'

/** For listeners that tell people what needs them. */
const escalation = ({ id }: Task, reason: string, at: number): EventDraft => ({
  at,
  kind: 'escalation',
  taskId: id,
  data: { reason },
})
