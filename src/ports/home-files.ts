/** Something in the home that bears the name of a run or a task. */
export type Kept = { readonly kind: 'run' | 'exit' | 'task'; readonly id: string }

/** The home as a whole, and how much room tasks take. */
export interface HomeFiles {
  /** Bytes on disk below these paths; no link is followed, what is missing is nothing. After `mostEntries` it stops: then it is at least so much. */
  used(paths: readonly string[], mostEntries: number): Promise<number>
  /** Everything in runs/, exits/ and tasks/ whose name could be one of ours. */
  kept(): Promise<Kept[]>
  /** When it last changed; undefined when it is gone. */
  changedAt(kept: Kept): number | undefined
  /** Removing what is gone does nothing. */
  remove(kept: Kept): Promise<void>
  /** Logs that began a week ago are put aside and packed; four of each are kept. */
  rotateLogs(): Promise<void>
}
