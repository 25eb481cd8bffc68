export type PtySize = { readonly columns: number; readonly rows: number }

/** A program with a terminal of its own, whose screen and keys are ours. It begins paused: nothing is lost before `resume`. */
export type Pty = {
  readonly pid: number
  /** What the program writes. */
  onData(hear: (bytes: Uint8Array) => void): void
  /** Once, when the program has ended. */
  onExit(hear: () => void): void
  /** As if it were typed. */
  write(bytes: Uint8Array): void
  resize(size: PtySize): void
  /** What the program writes stays where it is, until `resume`. */
  pause(): void
  resume(): void
  /** As if its terminal were closed (SIGHUP). */
  hangUp(): void
}

export type PtySpec = PtySize & {
  /** The program, by its path or by a name on the PATH of `env`, and its arguments. */
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
}

/** Makes programs with terminals. TERMINAL_LIBRARY_MISSING when this installation cannot. */
export interface Ptys {
  /** Only looks whether it can. */
  check(): Promise<void>
  start(spec: PtySpec): Promise<Pty>
}
