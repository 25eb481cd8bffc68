import type { RunId } from '../../domain/names/ids.ts'

/** Notes which runs the daemon is handling right now. The notes survive a kill -9. Never throws. */
export interface Handling {
  /** The run is noted until the returned function is called. */
  enter(runId: RunId): () => void
  /** The runs that an earlier daemon was handling when it died, each once. */
  left(): RunId[]
  /** Forgets the runs that `left` returns. */
  clear(): void
}
