/** What a repository looked like when a task began. */
export type TreeBase = {
  /** The root of the repository. */
  readonly root: string
  /** The commit that was checked out; null when there was none yet. */
  readonly commit: string | null
  /** Only a part of its files was checked out. */
  readonly sparse: boolean
  /** The files that differed from it already, or were new, with a mark by which their content is known again. */
  readonly dirty: Readonly<Record<string, string>>
}

/** `before`: it differed from the commit already when the task began. */
export type ChangedFile = {
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted'
  /** Lines; null for a file that is not text, and where they were not counted. */
  readonly added: number | null
  readonly removed: number | null
  readonly before: boolean
}
/** `leftOut`: how many more files there are than were looked at. */
export type TreeChanges =
  | { readonly kind: 'known'; readonly files: readonly ChangedFile[]; readonly leftOut: number }
  | { readonly kind: 'unknown'; readonly why: string }
/** `cut`: the diff is longer than what is given of it. */
export type TreeDiff = { readonly diff: string; readonly cut: boolean }

/** Repositories as agents leave them. Nothing that a repository names is executed, and nothing in it is written. */
export interface WorkTree {
  /** Undefined when the directory is in no repository, or git cannot tell. */
  base(dir: string): Promise<TreeBase | undefined>
  changes(base: TreeBase): Promise<TreeChanges>
  /** A diff of these files of `changes`; undefined when none of them changed, or git cannot tell. */
  diff(base: TreeBase, paths: readonly string[]): Promise<TreeDiff | undefined>
}
