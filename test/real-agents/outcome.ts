import type { AgentDriver } from '../../src/ports/run/agent-driver.ts'
import type { Outcome } from './running.ts'

/** By its own word, or else by what it left on stderr. */
export function failureOf({ says, stderr }: Outcome, { readStderr }: Pick<AgentDriver, 'readStderr'>) {
  const finished = says.findLast((said) => said.kind === 'finished')
  return finished?.kind === 'finished' ? finished.failure : readStderr(stderr)
}
