import type { Commits } from '../../ports/store/commits.ts'
import type { RequestKeyReads } from '../../ports/store/request-keys.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { EndingNeeds } from '../ending/needs.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type StartingNeeds = EndingNeeds &
  Pick<
    Core,
    | 'agents'
    | 'apart'
    | 'brokenLaunches'
    | 'commitSoon'
    | 'mcpServer'
    | 'places'
    | 'roles'
    | 'tokens'
    | 'wakeAt'
    | 'whenScheduled'
    | 'workTree'
  > &
  Reads<Commits & RequestKeyReads>
