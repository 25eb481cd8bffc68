/** A file or directory in the home that has the id of a run or a task as its name. */
export type Kept = { readonly kind: 'run' | 'exit' | 'task'; readonly id: string }

/** The home as a whole, and how much disk space tasks use. */
export interface HomeFiles {
  /**
   * Bytes on disk below these paths. Links are not followed, and missing paths count as 0. Only the first `mostEntries`
   * entries count.
   */
  used(paths: readonly string[], mostEntries: number): Promise<number>
  /** Everything in runs/, exits/ and tasks/ that has the form of a name of ours. */
  kept(): Promise<Kept[]>
  /** Epoch ms of its last change; undefined when it is gone. */
  changedAt(kept: Kept): number | undefined
  /** Does nothing when it is gone already. */
  remove(kept: Kept): Promise<void>
  /** Renames and packs logs that were begun a week ago or earlier. The last four of each log are kept. */
  rotateLogs(): Promise<void>
}
