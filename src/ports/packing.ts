/** Files that are kept but rarely read. */
export interface Packing {
  /** Replaces a file by `<path>.gz`. A missing file is nothing to do. A crash leaves one of the two whole. */
  pack(path: string): Promise<void>
  /** The other way; false when there is no `<path>.gz`. */
  unpack(path: string): Promise<boolean>
}
