// Owns the story of a task: what was seen, from which source, what was decided, what comes next.
import { unanswered } from '../domain/final-state.ts'
import { iso } from '../domain/session-record.ts'
import { sessionStatus } from '../domain/status-view.ts'
import type { Run, Task } from '../domain/task.ts'
import type { Transition } from '../ports/store.ts'
import type { OpenQuestionJson, RunStoryJson, StoryJson, WhyJson } from '../protocol/recovery-json.ts'
import type { Core } from '../supervisor/core.ts'
import { nextJson, nextOf } from './next-view.ts'
import { questionJson, queuePosition } from './task-views.ts'

export async function whyJson(task: Task, core: Core): Promise<WhyJson> {
  const { store } = core
  const open = await store.openQuestions(task.id)
  const runs = await store.runsOf(task.id)
  const [question] = unanswered(open)
  const next = await nextOf(task, { open, queuePosition: await queuePosition(task, core) }, core)
  return {
    session_id: task.id,
    status: sessionStatus(task.status),
    task_status: task.status,
    phase: task.phase,
    reason: task.reason,
    next: nextJson(next),
    question: question === undefined ? null : questionJson(question),
    story: (await store.transitions(task.id)).map((step) => storyJson(step, runs)),
    runs: runs.map(runJson),
  }
}

const storyJson = (step: Transition, runs: readonly Run[]): StoryJson => ({
  at: iso(step.at),
  event: step.event,
  from: step.from,
  to: step.to,
  phase: step.phase,
  reason: step.reason,
  evidence: step.evidence.map(({ source, fact }) => ({ source, fact })),
  run: runs.find(({ id }) => id === step.runId)?.number ?? null,
})

const runJson = (run: Run): RunStoryJson => ({
  number: run.number,
  how: run.how,
  state: run.state,
  exit: exitOf(run),
  failure: run.failure,
  tools: run.tools,
  progress: run.progress,
})

function exitOf({ exitCode, exitSignal }: Run): string | null {
  if (exitSignal !== null) return `signal ${exitSignal}`
  return exitCode === null ? null : `code ${exitCode}`
}

/** What people are waited for with, oldest first. */
export async function openQuestions({ store }: Core): Promise<OpenQuestionJson[]> {
  const open = unanswered(await store.allOpenQuestions())
  return await Promise.all(
    open.map(async (question) => {
      const { taskId, number } = question
      const task = (await store.task(taskId))!
      const isOnly = open.filter((other) => other.taskId === taskId).length === 1
      return {
        session_id: taskId,
        agent: task.role ?? task.agent,
        ...questionJson(question),
        answer_with: `holdfast answer ${taskId}${isOnly ? '' : ` --question ${number}`} <choice>`,
      }
    }),
  )
}
