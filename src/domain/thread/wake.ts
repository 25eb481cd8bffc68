// Owns how a wake-up is known among other triggers: by its reason, and by the key that makes one event wake once.
import type { ThreadId } from '../names/ids.ts'

/** For triggers that tell an agent of unread messages. */
export const WAKE_REASON = 'new_unread_messages'
/** For triggers that tell an agent of the tasks that it started. */
export const CHILDREN_REASON = 'children'

/** `occasion`: the number of a message, or another event that occurs once. */
export const wakeKey = (thread: ThreadId, occasion: string | number) => `wake:${thread}:${occasion}`
