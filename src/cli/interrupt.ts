// Owns Ctrl-C: exit 130, after the last words of the running command.
// The process alone remembers who listens: the CLI is built as several files, and each has its own copy of this module.

export const listenForInterrupt = () => hearInterrupt(leave)

/** From now on, Ctrl-C calls `lastWords` and then exits. */
export const onInterrupt = (lastWords: () => void) =>
  hearInterrupt(() => {
    lastWords()
    leave()
  })

/** For a command that runs another program in this terminal: that program gets Ctrl-C, too, and decides. */
export const ignoreInterrupt = () => hearInterrupt(() => {})

/** From now on, Ctrl-C calls this alone. */
export function hearInterrupt(listener: () => void): void {
  const before = process.listeners('SIGINT')
  // The new one comes first: a signal that Node has and has told nobody yet is lost when nobody listens.
  process.on('SIGINT', listener)
  for (const old of before) process.removeListener('SIGINT', old)
}

const leave = () => process.exit(130)
