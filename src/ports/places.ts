/** Directories of the machine, as a person means them. */
export interface Places {
  /** Links resolved. DIRECTORY_NOT_FOUND when it is not a directory that can be entered. */
  realDirectory(path: string): Promise<string>
  /** The file a command name means on a PATH; undefined when there is none. */
  findProgram(name: string, path: string): Promise<string | undefined>
  /** The repository a directory belongs to, else the directory itself. */
  projectRoot(dir: string): Promise<string>
  /** A small text file; undefined when there is none, or none that can be read. */
  peek(path: string): string | undefined
}
