// Owns single keys that a person presses in an agent's terminal from afar, as from the key bar of the page.
import type { BarKey } from '../../domain/conversation/bar-keys.ts'
import { HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { RequestKey, RequestKeyReads } from '../../ports/store/request-keys.ts'
import type { Reads } from '../../ports/store/store.ts'
import { oncePerKey, withKey } from '../kernel/once-per-key.ts'
import type { Core } from '../task/core.ts'

export type KeysAsked = {
  readonly keys: readonly BarKey[]
  readonly by: string
  /** Names this press for the terminal: it presses it once. */
  readonly name: string
  readonly key?: RequestKey
}

type Needs = Pick<Core, 'clock' | 'commit' | 'requestLook' | 'terminal' | 'watched' | 'withLock'> &
  Reads<RequestKeyReads>

/**
 * Written down before it is done: whatever reached the agent, the audit names who pressed it. Asked again with the same
 * key, nothing is pressed.
 */
export async function pressKeys({ id, mode }: Task, asked: KeysAsked, core: Needs): Promise<void> {
  if (mode !== 'interactive')
    throw new HoldfastError(
      'AGENT_CANNOT',
      `Session ${id} works without a terminal: it has no keys to press.`,
    )
  // With the lock, so that no prompt is being typed at the same time.
  await core.withLock(id, () =>
    oncePerKey(asked.key, { make: () => pressNow(id, asked, core), madeBefore: async () => {} }, core),
  )
}

async function pressNow(id: TaskId, { keys, by, name, key }: KeysAsked, core: Needs): Promise<void> {
  const run = core.watched.get(id)?.run
  if (run?.state !== 'live') throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has no agent at work.`)
  const at = core.clock.now()
  await core.commit({
    audit: { at, kind: 'keys_pressed', taskId: id, actor: by, detail: keys.join(' ') },
  })
  if ((await core.terminal.pressForPerson(id, run.id, `k-${name}`, keys)) === 'refused')
    throw new HoldfastError(
      'TERMINAL_BUSY',
      `The keys did not reach ${id}: its pane is gone, or somebody looks through its history.`,
    )
  core.requestLook(id)
  // Afterwards, because a press that was refused is to be tried again. Until then its name keeps it from being done twice.
  if (key !== undefined) await core.commit(withKey(key, { taskId: id, at }))
}
