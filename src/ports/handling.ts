import type { RunId } from '../domain/names/ids.ts'

/** Who is being handled right now, told so that a kill -9 of the daemon cannot hide it. Never throws: it is a breadcrumb. */
export interface Handling {
  /** Noted until the returned function is called. */
  enter(runId: RunId): () => void
  /** The runs that an earlier daemon had entered and not left, each once. */
  left(): RunId[]
  /** They are taken note of. */
  clear(): void
}
