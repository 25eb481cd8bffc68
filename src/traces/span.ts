// Owns what a span is to us, and the ids of spans. They follow from stored facts, so that a daemon that was restarted goes on with
// the same trace, and a span that is sent twice has the same id. Pure.
import type { RunId } from '../domain/names/ids.ts'
import type { RunStep } from '../domain/task/run.ts'
import type { Task } from '../domain/task/task.ts'
import { contentHash } from '../domain/text/content-hash.ts'

/** Times are epoch ms. `error`: what kind of failure it ended with; null for a good end. */
export type SpanFacts = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly name: string
  /** `client`: a call of something outside, as the names for generative AI want it for agents. */
  readonly kind: 'internal' | 'client'
  readonly from: number
  readonly to: number
  readonly error: string | null
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** Takes spans and returns at once. Drops them when it has too many. */
export type SpanSink = {
  add(span: SpanFacts): void
  /** Sends what is left, for a short time. */
  close(): Promise<void>
}

type Named = Pick<Task, 'id' | 'createdAt'>

/** The creation's time is part of it, because two homes may have a task of the same id. */
const nameOf = ({ id, createdAt }: Named) => `${id} ${createdAt}`

export const traceIdOf = (root: Named) => contentHash(`trace ${nameOf(root)}`).slice(0, 32)

/** `life`: 0, and one more each time that the ended task was brought back. */
export const taskSpanId = (task: Named, life: number) => idOf(`task ${nameOf(task)} ${life}`)

export const runSpanId = (run: RunId) => idOf(`run ${run}`)

export const stepSpanId = (run: RunId, { at, endedAt, tool, call, detail }: RunStep) =>
  idOf(`step ${run} ${at} ${endedAt} ${tool} ${call ?? detail}`)

const idOf = (name: string) => contentHash(name).slice(0, 16)
