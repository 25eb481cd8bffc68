// Owns a verification that somebody asked for: it reports what it found, and changes no task.
import { HoldfastError } from '../../domain/errors.ts'
import { asTaskId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { VerifyContract } from '../../domain/verify/contract.ts'
import { verifyEnv } from '../../domain/verify/environment.ts'
import type { Subject, Verified } from '../../ports/verifier.ts'
import type { Core } from '../task/core.ts'
import { subjectOf } from './verify-task.ts'

type Env = Readonly<Record<string, string>>

export async function verifyNow(
  task: Task,
  callerEnv: Env,
  core: Pick<Core, 'driver' | 'handoff' | 'ids' | 'verifier'>,
  signal: AbortSignal,
): Promise<Verified> {
  const contract = task.snapshot.verify
  if (contract === undefined)
    throw new HoldfastError(
      'VERIFY_INVALID',
      `Session ${task.id} has no contract: it was created without --verify.`,
    )
  return await verifyAndForget(contract, await subjectOf(task, core.ids.run(), callerEnv, core), core, signal)
}

/** Verifies the work in a directory, without a task. */
export function verifyDirectory(
  contract: VerifyContract,
  dir: string,
  env: Env,
  core: Pick<Core, 'ids' | 'verifier'>,
  signal: AbortSignal,
) {
  const subject: Subject = {
    whose: dir,
    name: core.ids.run(),
    taskId: asTaskId('verify-step'),
    dir,
    result: undefined,
    env: verifyEnv(env, []),
    sessionDir: dir,
    outputLog: '/dev/null',
  }
  core.verifier.accept(contract)
  return verifyAndForget(contract, subject, core, signal)
}

async function verifyAndForget(
  contract: VerifyContract,
  subject: Subject,
  core: Pick<Core, 'verifier'>,
  signal: AbortSignal,
): Promise<Verified> {
  try {
    return await core.verifier.verify(contract, subject, signal)
  } finally {
    await core.verifier.forget(subject.whose, subject.name)
  }
}
