// Owns single keys that a person presses in an agent's terminal from afar, as from the key bar of the page.
import type { BarKey } from '../../domain/conversation/bar-keys.ts'
import { HoldfastError } from '../../domain/errors.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Core } from '../task/core.ts'

export type KeysAsked = { readonly keys: readonly BarKey[]; readonly by: string; readonly key: string }

/** Written down before it is done: whatever reached the agent, the audit names who pressed it. `key`: asked again, the same press. */
export async function pressKeys(
  { id, mode }: Task,
  { keys, by, key }: KeysAsked,
  core: Pick<Core, 'clock' | 'commit' | 'requestLook' | 'terminal' | 'watched' | 'withLock'>,
): Promise<void> {
  if (mode !== 'interactive')
    throw new HoldfastError(
      'AGENT_CANNOT',
      `Session ${id} works without a terminal: it has no keys to press.`,
    )
  // With the lock, so that no prompt is being typed at the same time.
  await core.withLock(id, async () => {
    const run = core.watched.get(id)?.run
    if (run?.state !== 'live')
      throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has no agent at work.`)
    await core.commit({
      audit: { at: core.clock.now(), kind: 'keys_pressed', taskId: id, actor: by, detail: keys.join(' ') },
    })
    if ((await core.terminal.pressForPerson(id, run.id, `k-${key}`, keys)) === 'refused')
      throw new HoldfastError(
        'TERMINAL_BUSY',
        `The keys did not reach ${id}: its pane is gone, or somebody looks through its history.`,
      )
    core.requestLook(id)
  })
}
