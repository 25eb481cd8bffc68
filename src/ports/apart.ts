/** Starts programs apart from the daemon and from any terminal: in a session of their own, which lives on without both. */
export interface Apart {
  /** Resolves when it is started; DIRECTORY_NOT_FOUND when it has no place to work. */
  start(argv: readonly string[], cwd: string): Promise<void>
}
