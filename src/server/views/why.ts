// Owns the JSON of a task's story: what was seen, from which source, what was decided, what comes next.

import type { Run, RunStep } from '../../domain/task/run.ts'
import { sessionStatus } from '../../domain/task/status-view.ts'
import type { Task } from '../../domain/task/task.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { Transition } from '../../ports/store/tasks.ts'
import type {
  LastRunsJson,
  OpenQuestionJson,
  RunStepJson,
  RunStoryJson,
  StoryJson,
  WhyJson,
} from '../../protocol/json/recovery-json.ts'
import type { Asked, Story } from '../../supervisor/desk.ts'
import { elsewhereJson } from './elsewhere.ts'
import { keptJson, nextJson } from './next.ts'
import { questionJson } from './task.ts'
import { waitsJson } from './wait.ts'

export const whyJson = ({ task, ...seen }: Story): WhyJson => ({
  session_id: task.id,
  status: sessionStatus(task),
  task_status: task.status,
  phase: task.phase,
  mode: task.mode,
  ...waitsJson(seen.waits),
  reason: task.reason,
  next: nextJson(seen.next),
  kept_back: keptJson(seen.unsaid, seen.at),
  question: seen.question === null ? null : questionJson(seen.question),
  bridge: seen.bridge,
  elsewhere: elsewhereJson(seen.elsewhere),
  story: seen.transitions.map((step) => storyJson(step, seen.runs)),
  runs: seen.runs.map((run, index, { length }) => runJson(run, length - index <= RUNS_WITH_STEPS)),
})

export const lastRunsJson = (runs: readonly Run[]): LastRunsJson => ({
  runs: runs.map((run) => runJson(run, true)),
})

/** A task that was restarted a thousand times is told in an answer of usual length. */
export const RUNS_WITH_STEPS = 20

const storyJson = (step: Transition, runs: readonly Run[]): StoryJson => ({
  at: exact(step.at),
  event: step.event,
  from: step.from,
  to: step.to,
  phase: step.phase,
  reason: step.reason,
  evidence: step.evidence.map(({ source, fact }) => ({ source, fact })),
  run: runs.find(({ id }) => id === step.runId)?.number ?? null,
})

const runJson = (run: Run, withSteps: boolean): RunStoryJson => ({
  number: run.number,
  how: run.how,
  state: run.state,
  exit: exitOf(run),
  failure: run.failure,
  tools: run.tools,
  progress: run.progress,
  steps: withSteps ? run.steps.map(stepJson) : [],
})

const stepJson = ({ tool, detail, ok, at, endedAt }: RunStep): RunStepJson => ({
  tool,
  detail: redactSecrets(detail),
  ok,
  at: at === undefined ? null : exact(at),
  ended_at: endedAt === undefined ? null : exact(endedAt),
})

/** With milliseconds: a run may be shorter than a second. */
export const exact = (ms: number) => new Date(ms).toISOString()

function exitOf({ exitCode, exitSignal }: Run): string | null {
  if (exitSignal !== null) return `signal ${exitSignal}`
  return exitCode === null ? null : `code ${exitCode}`
}

export const openQuestionJson = ({ task, ...asked }: Asked & { readonly task: Task }): OpenQuestionJson => ({
  session_id: task.id,
  agent: task.role ?? task.agent,
  ...questionJson(asked),
})
