/** Directories and programs of this machine. */
export interface Places {
  /** The path with all links resolved. DIRECTORY_NOT_FOUND when it is not a directory that can be entered. */
  realDirectory(path: string): Promise<string>
  /** Throws PROJECT_NOT_WRITABLE when no handoff directory can be created in the project. */
  checkWritable(project: string): void
  /** The program that a command name stands for on this PATH; undefined when there is none. */
  findProgram(name: string, path: string): Promise<string | undefined>
  /** The root of the repository that contains the directory, else the directory itself. */
  projectRoot(dir: string): Promise<string>
  /** The content of a small text file; undefined when it cannot be read. */
  peek(path: string): string | undefined
  /** A program's version, from its package or by running the program; null when it cannot be found out. */
  versionOf(
    path: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<string | null>
  /**
   * The version of the Node that would run this program. Null when it is not a Node program, or when there is no Node.
   */
  nodeFor(path: string, env: Readonly<Record<string, string | undefined>>): Promise<string | null>
  /** The names in a directory; empty when it cannot be read. */
  list(dir: string): readonly string[]
  /** Up to `most` bytes of a regular file from an offset; undefined when it cannot be read. */
  readFrom(path: string, offset: number, most: number): Uint8Array | undefined
}
