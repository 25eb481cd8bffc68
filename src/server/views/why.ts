// Owns the story of a task: what was seen, from which source, what was decided, what comes next.
import { unanswered } from '../../domain/task/final-state.ts'
import { iso } from '../../domain/task/session-record.ts'
import { sessionStatus } from '../../domain/task/status-view.ts'
import type { Run, Task } from '../../domain/task/task.ts'
import type { Transition } from '../../ports/store.ts'
import type { OpenQuestionJson, RunStoryJson, StoryJson, WhyJson } from '../../protocol/recovery-json.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { inTurns } from '../streams/in-turns.ts'
import { keptJson, unsaidOf } from './kept.ts'
import { nextJson, nextOf } from './next.ts'
import { waitsForTmux } from './outage.ts'
import { questionJson, queuePosition } from './task.ts'
import { waitsOf } from './wait.ts'

export async function whyJson(task: Task, core: Core): Promise<WhyJson> {
  const { store } = core
  const open = await store.openQuestions(task.id)
  const runs = await store.runsOf(task.id)
  const [question] = unanswered(open)
  const unsaid = unsaidOf(task, await store.inputs(task.id), core)
  const next = await nextOf(task, { open, queuePosition: await queuePosition(task, core), unsaid }, core)
  return {
    session_id: task.id,
    status: sessionStatus(task),
    task_status: task.status,
    phase: task.phase,
    mode: task.mode,
    ...waitsOf(task, await store.gates(), waitsForTmux(task, core)),
    reason: task.reason,
    next: nextJson(next),
    kept_back: keptJson(unsaid, core.clock.now()),
    question: question === undefined ? null : await questionJson(question, task, core),
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
export async function openQuestions(core: Core): Promise<OpenQuestionJson[]> {
  const { store } = core
  const open = unanswered(await store.allOpenQuestions())
  return await inTurns(open, async (question) => {
    const task = (await store.task(question.taskId))!
    return {
      session_id: task.id,
      agent: task.role ?? task.agent,
      ...(await questionJson(question, task, core)),
    }
  })
}
