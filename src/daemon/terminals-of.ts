// Owns which terminals show the sessions that a bell rings for.
import { asTaskId } from '../domain/names/ids.ts'
import { placeOfRuntime } from '../domain/runtime/names.ts'
import type { Desk } from '../supervisor/desk.ts'
import type { TmuxTerminal } from '../tmux/tmux-terminal.ts'

type Tasks = Pick<Desk['tasks'], 'getIfExists'>

/** Without sessions: all that show one at all. One that was removed is shown nowhere. */
export async function terminalsOf(
  ids: readonly string[],
  tasks: Tasks,
  terminal: Pick<TmuxTerminal, 'terminalsAt'>,
): Promise<readonly string[]> {
  if (ids.length === 0) return terminal.terminalsAt()
  const found = new Set<string>()
  for (const id of ids.map(asTaskId)) {
    const task = await tasks.getIfExists(id)
    if (task === undefined) continue
    for (const tty of await terminal.terminalsAt(id, placeOfRuntime(task.runtime))) found.add(tty)
  }
  return [...found]
}
