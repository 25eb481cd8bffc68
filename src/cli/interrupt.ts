// Owns Ctrl-C: exit 130, after the last words of the running command.

const leave = () => process.exit(130)
let current: () => void = leave

export const listenForInterrupt = () => void process.on('SIGINT', () => current())

/** From now on, Ctrl-C calls `lastWords` and then exits. */
export function onInterrupt(lastWords: () => void): void {
  current = () => {
    lastWords()
    leave()
  }
}

/** For a command that runs another program in this terminal: that program gets Ctrl-C, too, and decides. */
export function ignoreInterrupt(): void {
  current = () => {}
}
