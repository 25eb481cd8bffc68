// Owns the checks of sessions at rest: their work is compared with their contract.

import { messageOf } from '../../../domain/errors.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { AtRest } from '../../../domain/task/final-state.ts'
import type { Run } from '../../../domain/task/run.ts'
import type { Task } from '../../../domain/task/task.ts'
import { firstLine } from '../../../domain/text/first-line.ts'
import { verifyNow } from '../../verifying/verify-now.ts'
import { isAtRest } from '../look/is-at-rest.ts'
import type { DeskNeeds } from '../needs.ts'

/** `rest`: which rest was checked. `failures`: null while the check is under way. */
type Check = { readonly rest: string; failures: readonly string[] | null }

/** Runs one verification for each rest, however many callers wait for it. */
export class RestChecks {
  readonly #core: DeskNeeds
  readonly #stopping: AbortSignal
  readonly #checks = new Map<TaskId, Check>()

  constructor(core: DeskNeeds, stopping: AbortSignal) {
    this.#core = core
    this.#stopping = stopping
  }

  /** Null while the turn is on, `checking` while the work is verified. `anew`: do not reuse a finished verification of an earlier caller. */
  async of(task: Task, anew: boolean): Promise<AtRest | 'checking' | null> {
    const run = await this.#restingRun(task)
    if (run === undefined) {
      this.#checks.delete(task.id)
      return null
    }
    if (run.result?.ok === false) return { failures: [whyTurnFailed(run.result.text)] }
    if (task.snapshot.verify === undefined) return { failures: [] }
    const failures = this.#check(task, run, anew)
    return failures === null ? 'checking' : { failures }
  }

  async #restingRun(task: Task): Promise<Run | undefined> {
    const isResting = task.runId !== null && (await isAtRest(task, this.#core))
    return isResting ? await this.#core.store.run(task.runId) : undefined
  }

  #check(task: Task, { id, eventsOffset, outputLength }: Run, anew: boolean): Check['failures'] {
    const rest = `${id} ${eventsOffset} ${outputLength}`
    const earlier = this.#checks.get(task.id)
    if (earlier?.rest === rest && !(anew && earlier.failures !== null)) return earlier.failures
    const check: Check = { rest, failures: null }
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

const whyTurnFailed = (text: string) => firstLine(text.trim()) || 'the agent says that its turn failed'
