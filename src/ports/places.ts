/** Directories of the machine, as a person means them. */
export interface Places {
  /** Links resolved. DIRECTORY_NOT_FOUND when it is not a directory that can be entered. */
  realDirectory(path: string): Promise<string>
  /** PROJECT_NOT_WRITABLE when no handoff directory can be made in a project. */
  checkWritable(project: string): void
  /** The file a command name means on a PATH; undefined when there is none. */
  findProgram(name: string, path: string): Promise<string | undefined>
  /** The repository a directory belongs to, else the directory itself. */
  projectRoot(dir: string): Promise<string>
  /** A small text file; undefined when there is none, or none that can be read. */
  peek(path: string): string | undefined
  /** A program's version, from its package or by asking it; null when it would not say. */
  versionOf(
    path: string,
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<string | null>
  /** The version of the Node that would run this program; null when it is none of Node's, or none is there. */
  nodeFor(path: string, env: Readonly<Record<string, string | undefined>>): Promise<string | null>
  /** The names in a directory; none when it cannot be read. */
  list(dir: string): readonly string[]
  /** Up to `most` bytes of a regular file from an offset; undefined when it cannot be read. */
  readFrom(path: string, offset: number, most: number): Uint8Array | undefined
}
