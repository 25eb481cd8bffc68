// Owns the JSON of what an agent changed in its repository.

/** `added` and `removed`: lines; null where they are not counted. `before`: it differed already when the task began. */
export type ChangedFileJson = {
  path: string
  kind: 'added' | 'modified' | 'deleted'
  added: number | null
  removed: number | null
  before: boolean
}
/**
 * Against the commit and the files as they were when the session began. `state`: `not_recorded` when it works in no
 * repository or is older than the record; `unknown` when git cannot tell now. `more`: not all files are named.
 */
export type ChangesJson = {
  session_id: string
  state: 'known' | 'not_recorded' | 'unknown'
  commit: string | null
  files: ChangedFileJson[]
  more: boolean
}
/** A unified diff. `cut`: it is longer. */
export type FileDiffJson = { session_id: string; path: string; diff: string; cut: boolean }
