// Owns what can be said about the files that changed while a task lived.

/** `added` and `removed` are lines; null for a file that is not text. */
export type ChangedFile = {
  readonly path: string
  readonly added: number | null
  readonly removed: number | null
}

/** What differs between a commit and the working tree; or why that cannot be told. */
export type Changes =
  | {
      readonly kind: 'known'
      readonly since: string
      readonly files: readonly ChangedFile[]
      /** Files that are not in the list, because there are too many. */
      readonly filesLeftOut: number
      /** A unified diff, cut at a line where it is too long. */
      readonly patch: string
      readonly isCut: boolean
    }
  | { readonly kind: 'unknown'; readonly why: string }
