/** One certain process. A pid alone is not enough: after the process ended, another process may get the same pid. */
export type ProcessIdentity = { readonly pid: number; readonly startTicks: number }

/** Tells a process from another that gets the same pid later. */
export interface ProcessIdentities {
  /** The id of this boot, from which start ticks are counted. Empty if the system has none (macOS). */
  readonly bootId: string
  /** Undefined when the process is gone; a zombie is gone, too. Start ticks are 0 if the system has none (macOS). */
  identityOf(pid: number): ProcessIdentity | undefined
}

/** What the kernel knows about processes. */
export interface Processes {
  readonly bootId: string
  /** True only for exactly this process. A zombie counts as gone. */
  isAlive(process: ProcessIdentity): boolean
  /** Whether any process, also a zombie, has this pid. Cheaper than `isAlive`. */
  isTaken(pid: number): boolean
  /** For each run: the processes with its marker in their environment, and their descendants. One scan for all runs. */
  carrying(runIds: readonly string[]): Promise<Map<string, ProcessIdentity[]>>
  /** For each run that has processes: the CPU time they used, with their ended children, in ms. One scan for all runs. */
  cpuMs(runIds: readonly string[]): Promise<Map<string, number>>
  /** All processes with the marker of any run of any home, by the run id in the marker. */
  marked(): Promise<Map<string, ProcessIdentity[]>>
  /** Sends a signal to exactly this process. False when it is gone. */
  signal(process: ProcessIdentity, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGCHLD'): boolean
}
