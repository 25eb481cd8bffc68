import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RuntimeReads } from '../../ports/store/runtimes.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { RecoveringNeeds } from '../recovering/needs.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type ReadingNeeds = RecoveringNeeds &
  Pick<Core, 'driver' | 'mcpServer'> &
  Reads<ConversationReads & RuntimeReads>
