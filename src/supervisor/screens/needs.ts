import type { Reads } from '../../ports/store/store.ts'
import type { TriggerReads } from '../../ports/store/triggers.ts'
import type { ReadingNeeds } from '../reading/needs.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type ScreensNeeds = ReadingNeeds & Pick<Core, 'handling' | 'places'> & Reads<TriggerReads>
