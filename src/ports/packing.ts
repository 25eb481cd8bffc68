/** Files that are kept but rarely read. */
export interface Packing {
  /** Replaces a file by `<path>.gz`. A missing file is nothing to do. A crash leaves one of the two whole. */
  pack(path: string): Promise<void>
  /** The other way; false when there is no `<path>.gz`. */
  unpack(path: string): Promise<boolean>
  /** A file's bytes from an offset to its end so far, packed or not. Nothing when there is none, or when it is not a regular file. */
  readFrom(path: string, offset: number): AsyncIterable<Uint8Array>
}
