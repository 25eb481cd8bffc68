// Owns Ctrl-C: exit 130, after the last words of the running command.
// The process alone remembers who listens: the CLI is built as several files, and each has its own copy of this module.

export const listenForInterrupt = () => listenInstead(leave)

/** From now on, Ctrl-C calls `lastWords` and then exits. */
export const onInterrupt = (lastWords: () => void) =>
  listenInstead(() => {
    lastWords()
    leave()
  })

/** For a command that runs another program in this terminal: that program gets Ctrl-C, too, and decides. */
export const ignoreInterrupt = () => listenInstead(() => {})

function listenInstead(listener: () => void): void {
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', listener)
}

const leave = () => process.exit(130)
