/** Files that are kept but rarely read. */
export interface Packing {
  /** Replaces a file by `<path>.gz`; does nothing when there is no file. After a crash, one of the two is complete. */
  pack(path: string): Promise<void>
  /** Replaces `<path>.gz` by the file. False when there is no `<path>.gz`. */
  unpack(path: string): Promise<boolean>
  /**
   * The bytes of a file, packed or not, from an offset to its current end. No bytes when it is missing or not a regular
   * file.
   */
  readFrom(path: string, offset: number): AsyncIterable<Uint8Array>
  /** How many bytes `readFrom` would give from the beginning, as of now. */
  sizeOf(path: string): Promise<number>
}
