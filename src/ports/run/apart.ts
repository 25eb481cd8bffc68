/** Starts programs in a session of their own: they go on when the daemon or a terminal ends. */
export interface Apart {
  /** Resolves when the program is started. DIRECTORY_NOT_FOUND when `cwd` is not a directory. */
  start(argv: readonly string[], cwd: string): Promise<void>
}
