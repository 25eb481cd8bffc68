import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { ThreadReads } from '../../ports/store/threads.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { Core } from '../task/core.ts'
import type { VerifyingNeeds } from '../verifying/needs.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type EndingNeeds = VerifyingNeeds &
  Pick<Core, 'swept'> &
  Reads<RuntimeReads & ThreadReads & TriggerReads>
