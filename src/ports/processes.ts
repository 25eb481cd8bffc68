/** A process by identity: a pid alone may have been handed to a stranger. */
export type ProcessIdentity = { readonly pid: number; readonly startTicks: number }

/** What tells a process from another that gets its pid later. */
export interface ProcessIdentities {
  /** Start ticks count from boot. Empty where the system does not tell (macOS). */
  readonly bootId: string
  /** Undefined when it is gone; a zombie is gone. Where there are no start ticks (macOS) they are 0: the pid is all there is. */
  identityOf(pid: number): ProcessIdentity | undefined
}

/** What the kernel knows about processes. */
export interface Processes {
  readonly bootId: string
  /** True only for the very process that was recorded; a zombie counts as gone. */
  isAlive(process: ProcessIdentity): boolean
  /** The cheap question: whether any process, a zombie too, has this pid. */
  isTaken(pid: number): boolean
  /** Everything that carries one of these runs' markers in its environment, plus its descendants. One scan for all. */
  carrying(runIds: readonly string[]): Promise<Map<string, ProcessIdentity[]>>
  /** CPU time that these runs' processes have taken, ended children included; no entry for a run without any. One scan for all. */
  cpuMs(runIds: readonly string[]): Promise<Map<string, number>>
  /** Everything that carries the marker of any run, of whatever home, by what the marker says. */
  marked(): Promise<Map<string, ProcessIdentity[]>>
  /** Signals by identity; false when that process is gone. */
  signal(process: ProcessIdentity, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGCHLD'): boolean
}
