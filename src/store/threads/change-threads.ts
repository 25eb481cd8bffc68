import type { TriggerId } from '../../domain/names/ids.ts'
import type { Message } from '../../domain/thread/thread.ts'
import type { ThreadChange } from '../../ports/store/threads.ts'
import type { Writing } from '../database/holding.ts'
import { bindOutbox, putIntoOutbox, readdressOutbox } from './outbox.ts'
import { postMessage } from './post-message.ts'
import { blockThread, continueThread, createThread, moveReadCursor } from './write-threads.ts'

/**
 * Applies what a change says of threads and the outbox. `queued`: the trigger that the same change queued. Returns the
 * message that was posted, if any.
 */
export async function changeThreads(
  writing: Writing,
  change: ThreadChange,
  queued: TriggerId | null,
): Promise<Message | undefined> {
  if (change.createThread) await createThread(writing, change.createThread)
  if (change.moveReadCursor) await moveReadCursor(writing, change.moveReadCursor)
  if (change.continueThread) await continueThread(writing, change.continueThread)
  if (change.blockThread) await blockThread(writing, change.blockThread)
  if (change.outbox) await putIntoOutbox(writing, change.outbox)
  if (change.readdress) await readdressOutbox(writing, change.readdress)
  if (change.bindOutbox) await bindOutbox(writing, change.bindOutbox, queued)
  return change.post && (await postMessage(writing, change.post))
}
