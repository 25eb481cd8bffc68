// Owns which spans tell of a task, a run and a tool, with the names that OpenTelemetry has for generative AI. No prompt, output,
// title, reason or tool argument is in them. Pure.
import type { RunId } from '../domain/names/ids.ts'
import type { TaskStatus } from '../domain/task/machine.ts'
import type { Run, RunStep } from '../domain/task/run.ts'
import type { Task } from '../domain/task/task.ts'
import { runSpanId, type SpanFacts, stepSpanId, taskSpanId, traceIdOf } from './span.ts'

type Attributes = SpanFacts['attributes']

/** Names are short; longer ones are not names. */
const MOST_NAME = 100

/** Where a task stands in its trace: the first of its ancestors, and its parent. */
export type Family = {
  readonly root: Pick<Task, 'id' | 'createdAt'>
  /** The parent, with its life (span.ts) at the time when it created the task; null for a root. */
  readonly parent: { readonly task: Pick<Task, 'id' | 'createdAt'>; readonly life: number } | null
}

/** One life of a task: from its creation, or from when it was brought back, to its end. */
export type Life = {
  readonly number: number
  readonly from: number
  readonly to: number
  /** With which it ended. */
  readonly status: TaskStatus
}

export const taskSpan = (task: Task, family: Family, life: Life): SpanFacts => ({
  traceId: traceIdOf(family.root),
  spanId: taskSpanId(task, life.number),
  parentSpanId: family.parent === null ? null : taskSpanId(family.parent.task, family.parent.life),
  name: `holdfast.task ${task.agent}`,
  kind: 'internal',
  from: life.from,
  to: life.to,
  error: life.status === 'completed' ? null : life.status,
  attributes: {
    ...ofAgent(task),
    'holdfast.task.id': task.id,
    'holdfast.task.status': life.status,
    'holdfast.task.retries': task.retries,
    'gen_ai.usage.input_tokens': task.tokensIn,
    'gen_ai.usage.output_tokens': task.tokensOut,
    'holdfast.cost.usd': task.costUsd,
    ...(task.verification === null ? {} : { 'holdfast.task.verified': task.verification.verified }),
    ...(task.runtime === null ? {} : { 'holdfast.runtime': task.runtime }),
  },
})

/** The last words of an agent may be read a moment after its process is gone: its span has all of its tool calls in it. */
export const runSpan = (run: Run, task: Task, family: Family, life: number): SpanFacts => ({
  traceId: traceIdOf(family.root),
  spanId: runSpanId(run.id),
  parentSpanId: taskSpanId(task, life),
  name: `invoke_agent ${task.agent}`,
  kind: 'client',
  from: run.startedAt ?? run.createdAt,
  to: Math.max(run.endedAt ?? run.createdAt, ...run.steps.map(({ endedAt }) => endedAt ?? 0)),
  error: errorOf(run),
  attributes: {
    ...ofAgent(task),
    'gen_ai.operation.name': 'invoke_agent',
    ...(task.sessionId === null ? {} : { 'gen_ai.conversation.id': task.sessionId }),
    'holdfast.task.id': task.id,
    'holdfast.run.id': run.id,
    'holdfast.run.number': run.number,
    'holdfast.run.how': run.how,
    'holdfast.run.state': run.state,
    'holdfast.run.tools': run.tools,
    ...(run.exitCode === null ? {} : { 'process.exit.code': run.exitCode }),
    ...(run.exitSignal === null ? {} : { 'holdfast.run.signal': run.exitSignal }),
  },
})

/** A tool call whose beginning and end were seen. */
export type EndedStep = RunStep & { readonly at: number; readonly endedAt: number }

export const toolSpan = (step: EndedStep, run: RunId, task: Task, family: Family): SpanFacts => ({
  traceId: traceIdOf(family.root),
  spanId: stepSpanId(run, step),
  parentSpanId: runSpanId(run),
  name: `execute_tool ${step.tool.slice(0, MOST_NAME)}`,
  kind: 'internal',
  from: step.at,
  to: step.endedAt,
  error: step.ok === false ? 'tool_error' : null,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': step.tool.slice(0, MOST_NAME),
    ...(step.call === undefined ? {} : { 'gen_ai.tool.call.id': step.call.slice(0, MOST_NAME) }),
    'holdfast.task.id': task.id,
  },
})

const PROVIDERS: Readonly<Record<string, string>> = { claude: 'anthropic', codex: 'openai' }

/** Agents that speak with many providers name a model as `provider/model`. */
function ofAgent({ agent, model, role }: Task): Attributes {
  const provider = PROVIDERS[agent] ?? /^([\w.-]{1,40})\//.exec(model ?? '')?.[1]
  return {
    'gen_ai.agent.name': role ?? agent,
    'holdfast.agent': agent,
    ...(provider === undefined ? {} : { 'gen_ai.provider.name': provider, 'gen_ai.system': provider }),
    ...(model === null ? {} : { 'gen_ai.request.model': model.slice(0, MOST_NAME) }),
  }
}

function errorOf({ state, exitCode, exitSignal, failure }: Run): string | null {
  if (failure !== null) return failure
  if (state !== 'exited') return state
  if (exitSignal !== null) return 'signal'
  return exitCode === 0 ? null : 'exit_code'
}
