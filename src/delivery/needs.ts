import type { DaemonConfig } from '../domain/settings/config.ts'
import type { TaskTerms } from '../domain/settings/task-terms.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Drivers } from '../ports/run/driver-of.ts'
import type { Processes } from '../ports/run/processes.ts'
import type { RunFiles } from '../ports/run/run-files.ts'
import type { Terminal } from '../ports/run/terminal.ts'
import type { Commits } from '../ports/store/commits.ts'

/** What this room needs, besides what it reads from the store. Each function takes the slice that it uses. */
export type DeliveryNeeds = Drivers & {
  /** The core's commit. When it resolves, the recipient's task and run are as stored. */
  readonly commit: Commits['commit']
  readonly clock: Clock
  readonly config: Pick<
    DaemonConfig,
    'quiet.window' | 'trigger.ackRetries' | 'trigger.deferMax' | 'trigger.resumeAttempts'
  >
  readonly ownTerms: TaskTerms
  readonly log: Log
  readonly processes: Pick<Processes, 'isAlive' | 'signal'>
  readonly runFiles: Pick<RunFiles, 'feeder' | 'has' | 'writeInput'>
  readonly terminal: Pick<Terminal, 'clear' | 'look' | 'paste' | 'press'>
}
