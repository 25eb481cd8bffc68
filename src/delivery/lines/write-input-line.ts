// Owns a run that can be told nothing more, because the file by which it hears was deleted or spoilt: it is ended and
// resumed, and the next run is told what this one did not hear.

import { tryCommit } from '../../changes/try-commit.ts'
import { isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { AuditEntry } from '../../ports/store-changes.ts'
import type { Core, Watch } from '../../supervisor/task/core.ts'

/** True when the line is in the run's input file. A full disk is no deafness: it is tried again. */
export async function writeInputLine(
  offset: number,
  line: string,
  watch: Watch,
  core: Pick<Core, 'clock' | 'commit' | 'log' | 'runFiles'>,
): Promise<boolean> {
  try {
    await core.runFiles.writeInput(watch.run.id, offset, line)
    return true
  } catch (error) {
    if (isHoldfastError(error)) throw error
    core.log.warn('could not write to the input file of a run', {
      run: watch.run.id,
      error: messageOf(error),
    })
    await orderNext(watch, core)
    return false
  }
}

async function orderNext(watch: Watch, core: Pick<Core, 'clock' | 'commit'>): Promise<void> {
  const at = core.clock.now()
  const reason = 'its input file was deleted or damaged: it is resumed, and told what it missed'
  const order = { kind: 'deaf', by: 'holdfast', reason, at, goOn: null, mode: null } as const
  const audit: AuditEntry = {
    at,
    kind: 'task_deaf',
    taskId: watch.task.id,
    actor: 'holdfast',
    detail: reason,
  }
  await tryCommit({ restart: { id: watch.task.id, order }, audit }, core)
}
