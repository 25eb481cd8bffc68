/** What a repository looked like when a task began. */
export type TreeBase = {
  /** The root of the repository. */
  readonly root: string
  /** The commit that was checked out; null when there was none yet. */
  readonly commit: string | null
  /** The files that differed from it already, or were new, with a hash of their content. */
  readonly dirty: Readonly<Record<string, string>>
}

/** `before`: it differed from the commit already when the task began. */
export type ChangedFile = {
  readonly path: string
  readonly kind: 'added' | 'modified' | 'deleted'
  /** Lines; null for a binary file. */
  readonly added: number | null
  readonly removed: number | null
  readonly before: boolean
}
/** `more`: there are more files than were looked at. */
export type TreeChanges = { readonly files: readonly ChangedFile[]; readonly more: boolean }
/** `cut`: the diff is longer than what is given of it. */
export type FileDiff = { readonly diff: string; readonly cut: boolean }

/** Repositories as agents leave them. Nothing that a repository configures is executed. */
export interface WorkTree {
  /** Undefined when the directory is in no repository, or git cannot tell. */
  base(dir: string): Promise<TreeBase | undefined>
  /** Undefined when the repository is gone, or git cannot tell. */
  changes(base: TreeBase): Promise<TreeChanges | undefined>
  /** One file of `changes`; undefined as there. */
  diff(base: TreeBase, path: string): Promise<FileDiff | undefined>
}
