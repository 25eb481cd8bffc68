// Owns writing one line into the input file of a run. When that file was deleted or damaged, the run can be told nothing
// more: it is ended and resumed, and the next run is told what this one did not hear.

import { tryCommit } from '../../changes/try-commit.ts'
import { isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Recipient } from '../inputs/recipient.ts'
import type { DeliveryNeeds } from '../needs.ts'

/** True when the line is in the run's input file. Throws when the disk is full: writing is tried again later. */
export async function writeInputLine(
  offset: number,
  line: string,
  recipient: Recipient,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'log' | 'runFiles'>,
): Promise<boolean> {
  try {
    await needs.runFiles.writeInput(recipient.run.id, offset, line)
    return true
  } catch (error) {
    if (isHoldfastError(error)) throw error
    needs.log.warn('could not write to the input file of a run', {
      run: recipient.run.id,
      error: messageOf(error),
    })
    await orderRestart(recipient, needs)
    return false
  }
}

async function orderRestart(
  recipient: Recipient,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'>,
): Promise<void> {
  const at = needs.clock.now()
  const reason = `the file through which ${recipient.task.id} hears was deleted or damaged: its agent is resumed, and then told what it did not hear`
  const order = { kind: 'deaf', by: 'holdfast', reason, at, goOn: null, mode: null } as const
  const audit: AuditEntry = {
    at,
    kind: 'task_deaf',
    taskId: recipient.task.id,
    actor: 'holdfast',
    detail: reason,
  }
  await tryCommit({ restart: { id: recipient.task.id, order }, audit }, needs)
}
