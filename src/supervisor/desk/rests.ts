// Owns which sessions are at rest: the turn is over, nothing is left to be said, and their work is held against their contract.

import { staysWhenIdle } from '../../delivery/inputs/hearing.ts'
import { isUnsaid, openTurn } from '../../delivery/inputs/said.ts'
import { messageOf } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { AtRest } from '../../domain/task/final-state.ts'
import type { Run, Task } from '../../domain/task/task.ts'
import { firstLine } from '../../domain/text/first-line.ts'
import type { ConversationReads, Reads } from '../../ports/store.ts'
import { verifyNow } from '../verifying/verify-now.ts'
import type { DeskNeeds } from './needs.ts'

/** Idle, neither a prompt nor its end on the way. An answer that came too late is never said. */
export async function isAtRest(task: Task, { store }: Reads<ConversationReads>): Promise<boolean> {
  const { id, status, phase, stop, restart, runId } = task
  if (status !== 'running' || phase !== 'idle' || runId === null) return false
  if (stop !== null || restart !== null || !staysWhenIdle(task)) return false
  const inputs = await store.inputs(id)
  const isWaiting = inputs.some((input) => input.kind !== 'answer' && isUnsaid(input))
  return !isWaiting && openTurn(inputs, runId) === undefined
}

type Check = { readonly of: string; failures: readonly string[] | null }

/** One verification for each rest, however many wait for it and however long it takes. */
export class Rests {
  readonly #core: DeskNeeds
  readonly #stopping: AbortSignal
  readonly #checks = new Map<TaskId, Check>()

  constructor(core: DeskNeeds, stopping: AbortSignal) {
    this.#core = core
    this.#stopping = stopping
  }

  /** Null while its turn is on, `checking` while its work is verified. `anew`: what an earlier caller was told is too old. */
  async of(task: Task, anew: boolean): Promise<AtRest | 'checking' | null> {
    const run = await this.#restingRun(task)
    if (run === undefined) {
      this.#checks.delete(task.id)
      return null
    }
    if (run.result?.ok === false) return { failures: [saidNo(run.result.text)] }
    if (task.snapshot.verify === undefined) return { failures: [] }
    const failures = this.#check(task, run, anew)
    return failures === null ? 'checking' : { failures }
  }

  async #restingRun(task: Task): Promise<Run | undefined> {
    const isResting = task.runId !== null && (await isAtRest(task, this.#core))
    return isResting ? await this.#core.store.run(task.runId) : undefined
  }

  #check(task: Task, { id, eventsOffset, outputLength }: Run, anew: boolean): Check['failures'] {
    const of = `${id} ${eventsOffset} ${outputLength}`
    const before = this.#checks.get(task.id)
    if (before?.of === of && !(anew && before.failures !== null)) return before.failures
    const check: Check = { of, failures: null }
    this.#checks.set(task.id, check)
    void this.#verify(task).then((failures) => {
      check.failures = failures
      this.#core.waiters.wake(task.id)
    })
    return null
  }

  async #verify(task: Task): Promise<readonly string[]> {
    try {
      const { verified, checks } = await verifyNow(task, {}, this.#core, this.#stopping)
      return verified ? [] : checks.flatMap(({ ok, check, why }) => (ok ? [] : `${check}: ${why}`))
    } catch (error) {
      return [`its work could not be verified: ${messageOf(error)}`]
    }
  }
}

const saidNo = (text: string) => firstLine(text.trim()) || 'the agent says that its turn failed'
