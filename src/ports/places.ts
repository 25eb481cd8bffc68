/** Directories of the machine, as a person means them. */
export interface Places {
  /** Links resolved. DIRECTORY_NOT_FOUND when it is not a directory that can be entered. */
  realDirectory(path: string): Promise<string>
  /** The repository a directory belongs to, else the directory itself. */
  projectRoot(dir: string): Promise<string>
}
