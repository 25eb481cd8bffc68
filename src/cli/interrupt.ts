// Owns Ctrl-C: exit 130, after what the running command has to say.

const leave = () => process.exit(130)
let current: () => void = leave

export const listenForInterrupt = () => void process.on('SIGINT', () => current())

/** From now on Ctrl-C does this first, then leaves. */
export function onInterrupt(lastWords: () => void): void {
  current = () => {
    lastWords()
    leave()
  }
}

/** Another program in this terminal gets Ctrl-C too and decides. */
export function ignoreInterrupt(): void {
  current = () => {}
}
