import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { RecoveringNeeds } from '../recovering/needs.ts'
import type { Core } from '../task/core.ts'

/** What this room needs of the core: what the rooms that it builds on need, and what it adds. */
export type VerifyingNeeds = RecoveringNeeds &
  Pick<Core, 'driver' | 'verifier' | 'waiters'> &
  Reads<ConversationReads & OwnNode>
