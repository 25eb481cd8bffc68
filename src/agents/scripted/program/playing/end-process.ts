import { untilEnded } from './pause.ts'
import type { Ending } from './stage.ts'

/** Ends the process as the ending says; a result becomes exit code 0 or 1. */
export async function endProcess(ending: Ending): Promise<never> {
  if (ending.kind === 'result') process.exit(ending.ok ? 0 : 1)
  if (ending.kind === 'exit') process.exit(ending.code)
  if (ending.kind === 'left') process.exit(0)
  process.removeAllListeners(ending.signal)
  process.kill(process.pid, ending.signal)
  return untilEnded(new AbortController().signal)
}
